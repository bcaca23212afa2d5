import type { Defect } from "./defect.ts";

/** A message that is sent again bears another key, so that the platform takes it for a new one. */
export const randomKeys: Defect = { name: "random-keys", breaks: ["I9"], forgetsKeys: true };
