import type { ContentPart } from "@banyan/plugin-sdk";

/** Text or name of it. */
export function shortenPart(part: ContentPart): string {
  if (part.type === "completion") return part.completion.runId;
  if (part.type === "answer") return part.choice ?? "none";
  return "text" in part ? part.text : part.name;
}
