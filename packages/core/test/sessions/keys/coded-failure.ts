import { BanyanError, type ErrorCode } from "../../../src/ports/errors.ts";

/** What an act fails with, to be compared with a code; `none` when it succeeds, `uncoded` for any other error. */
export function codeOf(act: () => unknown): ErrorCode | "none" | "uncoded" {
  return failureOf(act)?.code ?? "none";
}

/** The message of an act's failure. */
export function messageOf(act: () => unknown): string {
  return failureOf(act)?.message ?? "";
}

function failureOf(act: () => unknown): { code: ErrorCode | "uncoded"; message: string } | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof BanyanError ? error : { code: "uncoded", message: String(error) };
  }
}

/** *what was attempted: what was wrong, what was received; what to do* */
export const MESSAGE_FORM: RegExp = /^[^:]+: .+, received .+; .+$/;
