import { BanyanError } from "@banyan/core";

/** Whether a call of the control socket failed because no gateway runs there. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof BanyanError && error.code === "control_unavailable";
}
