// memtool's extension for pi: hands the events of its sessions to `memtool hook`.
// Written by `memtool hook install pi`; remove it with `memtool hook uninstall pi`.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

const OUTER = "MEMTOOL_HOOK_PI";

export default function memtool(pi) {
  if (isRunByMemtool() || isRunByPi()) return;
  let source; // of the session, until memtool has been told that it begins
  let previous; // the file of the session that this one is a fork of
  let typed = "";
  let isUsers = true;
  let notify = (message) => console.error(message);
  const { ask, tell } = caller("pi", (message) => notify(message));

  function eventOf(name, ctx, fields) {
    const file = ctx.sessionManager.getSessionFile();
    const transcript = file && existsSync(file) ? file : name === "SessionStart" ? previous : undefined;
    const session = { session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, transcript_path: transcript };
    return { hook_event_name: name, ...session, ...fields };
  }

  const message = (content) => ({ customType: "memtool", content, display: false });

  /** What memtool says of a prompt, and before the first one of the session. */
  async function memoryFor(prompt, ctx) {
    const texts = [];
    if (source) {
      const begun = source;
      source = undefined;
      texts.push(contextIn(await ask(eventOf("SessionStart", ctx, { source: begun }))));
    }
    texts.push(contextIn(await ask(eventOf("UserPromptSubmit", ctx, { prompt }))));
    return texts.filter(Boolean).join("\n\n");
  }

  /** Adds memory to the conversation without starting a turn. */
  function add(content) {
    if (content) pi.sendMessage(message(content), { triggerTurn: false });
  }

  pi.on("session_start", (event, ctx) => {
    if (ctx.hasUI) notify = (text) => ctx.ui.notify(text, "warning");
    previous = event.previousSessionFile;
    const hasMessages = ctx.sessionManager.getBranch().some((entry) => entry.type === "message");
    const reasons = { startup: hasMessages ? "resume" : "startup", new: "clear", resume: "resume", fork: "fork" };
    source = reasons[event.reason]; // a session that is only loaded anew goes on
  });

  pi.on("input", async (event, ctx) => {
    isUsers = event.source !== "extension";
    const isQueued = event.streamingBehavior !== undefined; // no run starts with it
    if (isQueued && isUsers && event.text.trim()) add(await memoryFor(event.text, ctx));
    typed = isQueued ? "" : event.text; // without what templates and skills, which are not the user's, add to it
  });

  pi.on("before_agent_start", async (event, ctx) => {
    if (event.messageType === "custom" || !isUsers) return;
    const prompt = typed || event.prompt || "";
    typed = "";
    const content = prompt.trim() ? await memoryFor(prompt, ctx) : "";
    if (content) return { message: message(content) };
  });

  pi.on("agent_settled", (_, ctx) => {
    tell(eventOf("Stop", ctx, { last_assistant_message: lastAnswer(ctx) }));
  });

  pi.on("session_before_compact", (_, ctx) => {
    tell(eventOf("PreCompact", ctx));
  });

  pi.on("session_compact", async (event, ctx) => {
    tell(eventOf("PostCompact", ctx, { compact_summary: event.compactionEntry?.summary ?? "" }));
    add(contextIn(await ask(eventOf("SessionStart", ctx, { source: "compact" }))));
  });

  pi.on("session_shutdown", async (event, ctx) => {
    if (event.reason !== "reload" && source === undefined) await tell(eventOf("SessionEnd", ctx));
  });
}

/** Whether another pi runs this one, as the subagent of a tool: its prompts are not the user's. */
function isRunByPi() {
  const outer = Number(process.env[OUTER] ?? process.pid);
  if (outer !== process.pid && isRunning(outer)) return true;
  process.env[OUTER] = String(process.pid);
  return false;
}

function isRunning(process_id) {
  try {
    return process.kill(process_id, 0);
  } catch {
    return false;
  }
}

/** The text of the agent's last message. */
function lastAnswer(ctx) {
  const entries = ctx.sessionManager.getBranch();
  const last = entries.findLast((entry) => entry.type === "message" && entry.message.role === "assistant");
  const content = last?.message.content ?? "";
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
