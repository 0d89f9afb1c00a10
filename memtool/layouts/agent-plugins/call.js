
// How both plugins start memtool.
const COMMAND = {command};
const PROMPT_SECONDS = 10; // as `memtool hook` expects of an agent
const TURN_SECONDS = 30;
const MOST = 1 << 20;

/** A session's calls of memtool: those that a prompt waits for run one after the other, and so do the others. */
function caller(agent, complain) {
  const once = (reason) => {
    complain(`memtool adds no memory: ${reason}; run: memtool doctor`);
    complain = () => {};
  };
  let asked = Promise.resolve();
  let told = Promise.resolve();
  return {
    /** What memtool prints for an event that a prompt waits for; "" where it fails, is late, or is not there. */
    ask(event, seconds = PROMPT_SECONDS) {
      const call = asked.then(() => start(agent, event, seconds, once));
      asked = call.then(({ ended }) => ended);
      return call.then(({ answer }) => answer);
    },
    /** Hands over an event that nobody waits for; settles once memtool has ended. */
    tell(event) {
      told = Promise.all([asked, told]).then(() => start(agent, event, TURN_SECONDS, once).ended);
      return told;
    },
  };
}

/** The context in what memtool prints for a prompt or the start of a session; "" where there is none. */
function contextIn(answer) {
  try {
    return JSON.parse(answer).hookSpecificOutput.additionalContext ?? "";
  } catch {
    return "";
  }
}

/** Whether memtool itself runs this agent, as its summarizer or write hook. */
function isRunByMemtool() {
  return process.env.MEMTOOL_IN_SUMMARIZER === "1" || process.env.MEMTOOL_WRITE_HOOK === "1";
}

/**
 * Starts memtool, without a shell, with an event on stdin: promises of its answer, and of its end.
 *
 * An answer of one line is complete with it: what memtool does then is for later prompts. memtool has a process
 * group of its own, so that it finishes where the agent is interrupted or ends.
 */
function start(agent, event, seconds, complain) {
  let output = "";
  let give;
  const answer = new Promise((resolve) => (give = resolve));
  const ended = new Promise((resolve) => {
    const end = (reason) => {
      clearTimeout(late);
      if (reason) complain(reason);
      give(reason ? "" : output);
      resolve();
    };
    const late = setTimeout(() => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        child?.kill("SIGKILL");
      }
      end(`${COMMAND[0]} did not answer in ${seconds} seconds`);
    }, seconds * 1000);
    let child;
    try {
      const [program, ...words] = COMMAND;
      const options = { detached: true, stdio: ["pipe", "pipe", "ignore"] };
      child = spawn(program, [...words, "--agent", agent], options);
      child.on("error", (error) => end(String(error.message ?? error)));
      child.on("close", (code) => end(code ? `${program} ended with exit code ${code}` : ""));
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (piece) => {
        if (output.length < MOST) output += piece;
        if (output.startsWith("{") && output.endsWith("\n")) give(output);
      });
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(event));
    } catch (error) {
      end(String(error.message ?? error));
    }
  });
  return { answer, ended };
}
