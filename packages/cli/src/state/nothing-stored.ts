import { BanyanError, type ErrorCode } from "@banyan/core";

/** A state directory that no gateway has written yet: there is nothing to look up. */
export function nothingStored(attempt: string, stateDir: string, code: ErrorCode = "session_not_found"): BanyanError {
  return new BanyanError(
    code,
    `${attempt}: nothing was ever stored in ${stateDir}; banyan start opens a gateway there, or name another directory with BANYAN_STATE_DIR`,
  );
}
