import { BanyanError } from "@banyan/core";

/** A state directory that no gateway has written yet: there is nothing to look up. */
export function nothingStored(attempt: string, stateDir: string): BanyanError {
  return new BanyanError(
    "session_not_found",
    `${attempt}: nothing was ever stored in ${stateDir}; banyan start opens a gateway there, or name another directory with BANYAN_STATE_DIR`,
  );
}
