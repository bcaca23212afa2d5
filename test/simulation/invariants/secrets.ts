import type { Step } from "@banyan/store";
import { SECRET } from "../world/secret.ts";
import type { Invariant } from "./invariant.ts";

/** I27: no known secret stands in a log, an entry, a row or a message. */
export function createSecretKept(): Invariant {
  return {
    name: "I27",
    observe(seen) {
      switch (seen.type) {
        case "logged":
          return seen.line.includes(SECRET) ? `the log tells a secret: ${seen.line.slice(0, 200)}` : undefined;
        case "posted":
          return seen.post.text.includes(SECRET) ? `${seen.post.row} tells a secret` : undefined;
        case "edited":
          return seen.edit.text.includes(SECRET) ? `${seen.edit.platformId} tells a secret` : undefined;
        case "step": {
          const text = listTexts(seen.step).find((part) => part.includes(SECRET));
          return text === undefined ? undefined : `the step ${seen.step.step} stores a secret: ${text.slice(0, 200)}`;
        }
        default:
          return undefined;
      }
    },
  };
}

function listTexts(step: Step): readonly string[] {
  switch (step.step) {
    case "tool_result":
      return step.entries.map(({ body }) => body);
    case "commit_turn":
      return [...step.entries, ...step.deliveries, step.session].map(({ body }) => body);
    case "command":
      return [...(step.stop?.entries ?? []), ...step.deliveries].map(({ body }) => body);
    case "settle":
      return "error" in step.outcome ? [step.outcome.error] : [];
    case "append_entries":
      return step.entries.map(({ body }) => body);
    default:
      return [];
  }
}
