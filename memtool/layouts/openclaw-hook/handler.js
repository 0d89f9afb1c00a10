// Hands OpenClaw's events to `memtool hook`. Written by `memtool hook install openclaw`; see HOOK.md.
import { spawn } from "node:child_process";
import os from "node:os";
import path from "node:path";

const COMMAND = {command};
const SECONDS = 30;
const MOST = 1 << 20;

export default async function handler(event) {
  const answer = await ask(tell(event));
  if (event.type !== "agent" || !Array.isArray(event.context?.bootstrapFiles)) return;
  try {
    const { bootstrapFiles } = JSON.parse(answer);
    for (const file of bootstrapFiles) event.context.bootstrapFiles.push(file);
  } catch {
    return; // it had nothing to say
  }
}

/** What memtool is told of an event: who, where and what was said; never the configuration. */
function tell(event) {
  const context = event.context ?? {};
  const agent = text(context.agentId) ?? /^agent:([\w.-]+):/.exec(event.sessionKey ?? "")?.[1] ?? "main";
  const told = { type: event.type, action: event.action, sessionKey: event.sessionKey, context: {} };
  told.context.workspaceDir = text(context.workspaceDir) ?? text(context.cfg?.agents?.defaults?.workspace);
  told.context.sessionId = text(context.sessionId);
  told.context.content = text(context.content);
  for (const name of ["sessionEntry", "previousSessionEntry"]) {
    const id = text(context[name]?.sessionId);
    if (id !== undefined) told.context[name] = { sessionId: id };
  }
  if (Array.isArray(context.bootstrapFiles)) {
    told.context.bootstrapFiles = context.bootstrapFiles.map((file) => ({
      path: text(file?.path) ?? "",
      missing: file?.missing === true,
    }));
  }
  const state = process.env.OPENCLAW_STATE_DIR || path.join(os.homedir(), ".openclaw");
  told.transcript = path.join(state, "agents", agent, "agent", "openclaw-agent.sqlite");
  return told;
}

function text(value) {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What the command prints; nothing where it fails, is late, or is not there. */
function ask(told) {
  return new Promise((resolve) => {
    let answer = "";
    const child = spawn("/bin/sh", ["-c", COMMAND], {
      cwd: told.context.workspaceDir ?? os.homedir(),
      stdio: ["pipe", "pipe", "ignore"],
    });
    const late = setTimeout(() => child.kill("SIGKILL"), SECONDS * 1000);
    const end = () => {
      clearTimeout(late);
      resolve(answer);
    };
    child.on("error", end);
    child.on("close", end);
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (piece) => {
      if (answer.length < MOST) answer += piece;
      if (told.type === "agent" && answer.endsWith("\n")) end(); // what follows is for memory, not for the prompt
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(told));
  });
}
