import type { ToolResult } from "@banyan/plugin-sdk";

/** Why a call has no result; `invalid` and `refused` mean that the tool never ran. */
export type ToolFailureKind = "invalid" | "refused" | "permission" | "timeout" | "resource" | "error";

/** The four failures of a tool that ran. */
export type RanFailureKind = Exclude<ToolFailureKind, "invalid" | "refused">;

/** The result an agent sees for a failure: the tool, the kind of failure, a sentence that says what to do. */
export function buildFailureResult(tool: string, kind: ToolFailureKind, sentence: string): ToolResult {
  return { text: `${tool} failed (${kind}): ${sentence}`, isError: true };
}

/** A failure that a tool's inner parts raise; the caller makes the result of it. */
export class ToolFailure extends Error {
  readonly kind: RanFailureKind;

  constructor(kind: RanFailureKind, sentence: string, options?: { cause?: unknown }) {
    super(sentence, options);
    this.name = "ToolFailure";
    this.kind = kind;
  }
}
