import type { Refused } from "@banyan/store";

export function refuse(reason: Refused["reason"]): Refused {
  return { status: "refused", reason };
}
