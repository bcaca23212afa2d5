import type { Refused } from "@banyan/plugin-sdk/store";

export function refuse(reason: Refused["reason"]): Refused {
  return { status: "refused", reason };
}
