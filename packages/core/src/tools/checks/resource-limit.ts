import { cutToolOutput } from "../tool-output.ts";
import type { CheckedCall, ToolCheck } from "./tool-check.ts";

export interface ProcessLimits {
  /** Of a gateway, at once. */
  readonly mostProcesses: number;
  /** Of one session, at once. */
  readonly mostOfSession: number;
}

/** A machine with two cores still answers, and one conversation leaves room for others. */
const DEFAULT_PROCESS_LIMITS: ProcessLimits = { mostProcesses: 8, mostOfSession: 3 };
/** The system's own limit for one argument. */
const COMMAND_LIMIT_BYTES = 128 * 1024;

/** How much a call may bring along, how many programs run at once, and how long a result may be. */
export function createResourceLimit(limits: ProcessLimits = DEFAULT_PROCESS_LIMITS): ToolCheck {
  const running = new Map<CheckedCall, string>();
  return {
    name: "resource limits",
    priority: 6,
    pre({ use, scope }) {
      const { writeBytes = 0, command } = use;
      const { writeLimitBytes } = scope.limits;
      if (writeBytes > writeLimitBytes)
        return refuse(`it would write ${writeBytes} bytes, and ${writeLimitBytes} is the most; write less.`);
      const commandBytes = Buffer.byteLength(command?.argv.join(" ") ?? "");
      if (commandBytes > COMMAND_LIMIT_BYTES)
        return refuse(`the command has ${commandBytes} bytes, and ${COMMAND_LIMIT_BYTES} is the most; use a file.`);
      return undefined;
    },
    begin(call) {
      if (call.use.command === undefined) return undefined;
      const { sessionKey } = call.event;
      const ofSession = [...running.values()].filter((one) => one === sessionKey).length;
      if (running.size >= limits.mostProcesses || ofSession >= limits.mostOfSession)
        return "as many programs run as may at once; wait for one of them, then call it again.";
      running.set(call, sessionKey);
      return undefined;
    },
    post: ({ scope }, result) => ({ ...result, text: cutToolOutput(result.text, scope.limits.outputLimitBytes) }),
    settle: (call) => void running.delete(call),
  };
}

function refuse(why: string) {
  return { kind: "refuse", failure: "resource", why } as const;
}
