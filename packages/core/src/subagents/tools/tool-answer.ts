import type { ToolResult } from "@banyan/plugin-sdk";

/** What a session tool answers, as JSON: an agent reads its fields, `status` first. */
export interface ToolAnswer {
  readonly status: string;
  readonly [field: string]: unknown;
}

const FAILED: readonly string[] = ["error", "forbidden"];

/** Fields that are `undefined` are left out. */
export function formatToolAnswer(answer: ToolAnswer): ToolResult {
  return { text: JSON.stringify(answer), isError: FAILED.includes(answer.status) };
}

/** One sentence for what is not there and for what may not be seen. */
export function refuseUnknownSession(attempt: string, target: string): ToolAnswer {
  const received = JSON.stringify(target.slice(0, 200).toWellFormed());
  return {
    status: "error",
    error: `${attempt}: there is no such session for you, received ${received}; sessions_list names those you can reach`,
  };
}
