import { RequestError } from "@agentclientprotocol/sdk";
import { ZodError } from "zod";

const REASON_LIMIT_CHARS = 400;

/** The agent cannot be worked with, whatever it is asked. */
export class UnfitAgentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UnfitAgentError";
  }
}

/** Whether the agent itself said what is wrong, or said something that is no answer; else it could not be heard. */
export function isAnswer(error: unknown): boolean {
  return error instanceof RequestError || error instanceof ZodError || error instanceof UnfitAgentError;
}

/** For a sentence; what an agent says may be long. */
export function formatReason(error: unknown): string {
  const text =
    error instanceof ZodError
      ? "it answers what is not in the protocol"
      : String(error instanceof Error ? error.message : error);
  return text.slice(0, REASON_LIMIT_CHARS).toWellFormed();
}
