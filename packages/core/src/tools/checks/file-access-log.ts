import type { Log } from "@banyan/plugin-sdk";
import type { ToolCheck } from "./tool-check.ts";

/** One line of the log for each call that touches files: who, which, how it ended. */
export function createFileAccessLog(log: Log): ToolCheck {
  return {
    name: "file access log",
    priority: 7,
    settle({ event, use }, { kind, durationMs, result }) {
      const { paths = [], command } = use;
      if (paths.length === 0 && command === undefined) return;
      const files = paths.map(({ path, act }) => `${act} ${path}`);
      const { sessionKey: session, call } = event;
      const outcome = kind === "ran" && result.isError ? "failed" : kind;
      const isWriting = command !== undefined || paths.some(({ act }) => act === "write");
      const line = { session, tool: call.name, files, outcome, durationMs };
      if (isWriting) log.info(line, "a tool works with files");
      else log.debug(line, "a tool reads files");
    },
  };
}
