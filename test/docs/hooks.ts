import { readHookPayloads } from "./hook-payloads.ts";
import { HOOK_TEXTS, type HookKind } from "./hook-table.ts";

const KINDS: Readonly<Record<HookKind, string>> = {
  observer: "All taps run at the same time. Answers are ignored.",
  "first-answer": "One tap after the other. The first answer ends the call.",
  chain: "One tap after the other. Each gets what the taps before it have answered.",
};

/** A section for each hook. Throws where the contract has no payload for one. */
export function buildHooks(): string {
  const payloads = readHookPayloads();
  return Object.entries(HOOK_TEXTS)
    .map(([hook, { kind, called, answer, failure }]) => {
      const fields = payloads.get(hook) ?? [];
      if (fields.length === 0) throw new Error(`Writing the hooks: the contract has no payload for ${hook}`);
      return [
        `### \`${hook}\``,
        called,
        [
          `- Payload: ${fields.map((field) => `\`${field}\``).join(", ")}`,
          ...(answer === undefined ? [] : [`- Answer: ${answer}`]),
          `- Taps: ${KINDS[kind]}`,
          `- A tap that fails: ${failure}`,
        ].join("\n"),
      ].join("\n\n");
    })
    .join("\n\n");
}
