// memtool's plugin for opencode: hands the events of its sessions to `memtool hook`.
// Written by `memtool hook install opencode`; remove it with `memtool hook uninstall opencode`.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export const MemtoolPlugin = async ({ client, directory }) => {
  if (isRunByMemtool()) return {};
  const sessions = new Map();

  const complain = (message) => {
    const log = { service: "memtool", level: "warn", message };
    client.app?.log({ body: log }).catch(() => {});
    client.tui?.showToast({ body: { title: "memtool", message, variant: "warning" } }).catch(() => {});
  };

  /** What is known of a session; one that this process did not see created is resumed. */
  async function sessionOf(id) {
    let session = sessions.get(id);
    if (session === undefined) {
      session = { source: "resume", isSubagent: undefined, ...caller("opencode", complain) };
      sessions.set(id, session);
    }
    if (session.isSubagent === undefined) {
      const found = await client.session.get({ path: { id } }).catch(() => undefined);
      session.isSubagent = Boolean(found?.data?.parentID);
    }
    return session;
  }

  function eventOf(name, id, fields = {}) {
    const transcript = { transcript_path: database() };
    return { hook_event_name: name, session_id: id, cwd: directory, ...transcript, ...fields };
  }

  /** Adds what memtool says of a compacted conversation, which goes on without a prompt. */
  async function restored(id) {
    const session = sessions.get(id);
    return session === undefined || session.isCompacting ? "" : ((await session.restored) ?? "");
  }

  async function onCompacted(id) {
    const session = await sessionOf(id);
    const summary = session.summary ?? "";
    session.isCompacting = false;
    session.summary = undefined;
    session.restored = session
      .tell(eventOf("PostCompact", id, { compact_summary: summary }))
      .then(() => session.ask(eventOf("SessionStart", id, { source: "compact" })))
      .then(contextIn);
  }

  async function onIdle(id) {
    const session = sessions.get(id);
    if (!session?.isRunning) return;
    session.isRunning = false;
    session.isCompacting = false;
    const answer = { last_assistant_message: session.answer ?? "" };
    if (session.isSubagent) {
      const fields = { ...answer, agent_transcript_path: database(), transcript_path: undefined };
      await session.tell(eventOf("SubagentStop", id, fields));
    } else {
      await session.tell(eventOf("Stop", id, answer));
    }
  }

  return {
    "command.execute.before": async ({ command, sessionID, arguments: words }, output) => {
      (await sessionOf(sessionID)).typed = { text: `/${command} ${words ?? ""}`.trim(), parts: output?.parts };
    },

    "chat.message": async ({ sessionID }, { parts }) => {
      const session = await sessionOf(sessionID);
      const typed = session.typed; // of this message, unless the command failed before it became one
      session.typed = undefined;
      const isTyped = typed && (!typed.parts || textOf(typed.parts) === textOf(parts));
      const prompt = isTyped ? typed.text : textOf(parts);
      session.isRunning = true;
      session.answer = "";
      if (session.isSubagent || !prompt.trim()) return; // what an agent asks of another is not the user's
      const texts = [await restored(sessionID)];
      session.restored = undefined;
      if (session.source) {
        const source = session.source;
        session.source = undefined;
        texts.push(contextIn(await session.ask(eventOf("SessionStart", sessionID, { source }))));
      }
      texts.push(contextIn(await session.ask(eventOf("UserPromptSubmit", sessionID, { prompt }))));
      const text = texts.filter(Boolean).join("\n\n");
      const last = parts.at(-1);
      if (text) parts.push({ ...keysOf(last), id: idAfter(last.id), type: "text", text, synthetic: true });
    },

    "experimental.chat.messages.transform": async (_, { messages }) => {
      const message = messages.findLast(({ info }) => info.role === "user");
      const text = message === undefined ? "" : await restored(message.info.sessionID);
      const last = message?.parts.at(-1);
      if (!text || last === undefined || message.parts.some((part) => part.text === text)) return;
      message.parts.push({ ...keysOf(last), id: idAfter(last.id), type: "text", text, synthetic: true });
    },

    "experimental.text.complete": async ({ sessionID }, { text }) => {
      const session = sessions.get(sessionID);
      if (session === undefined || !text) return;
      if (session.isCompacting) session.summary = text;
      else session.answer = text;
    },

    "experimental.session.compacting": async ({ sessionID }, output) => {
      const session = await sessionOf(sessionID);
      if (session.isSubagent) return;
      session.isRunning = true;
      session.isCompacting = true;
      const toKeep = await session.ask(eventOf("PreCompact", sessionID), TURN_SECONDS);
      if (toKeep) output.context.push(toKeep);
    },

    event: async ({ event }) => {
      const id = event.properties?.sessionID ?? event.properties?.info?.id;
      if (event.type === "session.created") {
        const isSubagent = Boolean(event.properties.info?.parentID);
        sessions.set(id, { source: "startup", isSubagent, ...caller("opencode", complain) });
      } else if (event.type === "session.compacted") {
        await onCompacted(id);
      } else if (event.type === "session.idle" || event.properties?.status?.type === "idle") {
        await onIdle(id);
      } else if (event.type === "session.deleted") {
        await endOf(id, { transcript_path: undefined });
      }
    },

    dispose: async () => {
      await Promise.all([...sessions.keys()].map((id) => endOf(id)));
    },
  };

  async function endOf(id, fields) {
    const session = sessions.get(id);
    sessions.delete(id);
    if (session === undefined || session.source || session.isSubagent) return; // no prompt came
    await session.tell(eventOf("SessionEnd", id, fields));
  }
};

/** The database in which opencode keeps its conversations; undefined where it is elsewhere. */
function database() {
  const data = path.join(process.env.XDG_DATA_HOME || path.join(os.homedir(), ".local", "share"), "opencode");
  const file = path.resolve(data, process.env.OPENCODE_DB || "opencode.db");
  return existsSync(file) ? file : undefined;
}

/** The text of a message's parts that its user wrote. */
function textOf(parts) {
  const written = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored);
  return written.map((part) => part.text).join("\n\n");
}

function keysOf(part) {
  return { messageID: part.messageID, sessionID: part.sessionID };
}

/** An id of a part that sorts behind another: opencode's ids begin with `prt_` and twelve digits of time. */
function idAfter(id) {
  const random = Array.from({ length: 12 }, () => Math.floor(Math.random() * 36).toString(36));
  return `${id.slice(0, 16)}zz${random.join("")}`;
}
