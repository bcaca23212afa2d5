import { expect, test } from "vitest";
import { openDiscordGrove } from "../stage/discord-grove.ts";

const CODE = Array.from({ length: 120 }, (_, line) => `const tree${line} = "an oak of the grove"; 🌳`).join("\n");
/** Discord documentation, "Create Message". */
const LIMIT_CHARS = 2_000;

test("D1: a long answer with code in it arrives in parts that Discord takes, each with whole fences", async () => {
  const { inDm, grove } = await openDiscordGrove();
  await inDm.says(`look:\n\`\`\`ts\n${CODE}\n\`\`\`\nthat was all`);
  await inDm.hears(/that was all$/);
  await grove.rests();
  const parts = (await inDm.messages()).map(({ text }) => text);
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(LIMIT_CHARS);
    expect(part.isWellFormed()).toBe(true);
    expect((part.match(/^```/gm) ?? []).length % 2).toBe(0);
  }
  const lines = parts.flatMap((part) => part.split("\n")).filter((line) => line.startsWith("const tree"));
  expect(lines.join("\n")).toBe(CODE);
});
