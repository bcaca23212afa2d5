/** The table of the plugin's README: each row is there because its check has passed, and is written with `vitest -u`. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Capability } from "./capability.ts";
import { ANSWER_CAPABILITIES } from "./discord-answers.ts";
import { CHAT_CAPABILITIES } from "./discord-chats.ts";
import { DELIVERY_CAPABILITIES } from "./discord-deliveries.ts";
import { FILE_CAPABILITIES } from "./discord-files.ts";
import { INTERACTION_CAPABILITIES } from "./discord-interactions.ts";
import { THREAD_CAPABILITIES } from "./discord-threads.ts";

const README = new URL("../../plugins/discord/README.md", import.meta.url).pathname;
const TABLE = /(?<=<!-- capabilities, written by `vitest run test\/capabilities -u` -->\n)[\s\S]*(?=<!-- end -->)/;
const CHECK_MS = 20_000;
const ALL: readonly Capability[] = [
  ...CHAT_CAPABILITIES,
  ...THREAD_CAPABILITIES,
  ...ANSWER_CAPABILITIES,
  ...DELIVERY_CAPABILITIES,
  ...FILE_CAPABILITIES,
  ...INTERACTION_CAPABILITIES,
];
/** What each check that was made brought, whichever test asked for it first. */
const checked = new Map<Capability, Promise<string>>();

function check(capability: Capability): Promise<string> {
  const known = checked.get(capability);
  if (known !== undefined) return known;
  const made = capability.check();
  checked.set(capability, made);
  return made;
}

test.each(ALL)("$ability", { timeout: CHECK_MS }, async (capability) => {
  expect(await check(capability)).not.toBe("");
});

test("the README of the plugin has a row for each ability that was just shown, and no other", {
  timeout: ALL.length * CHECK_MS,
}, async () => {
  const rows: string[] = [];
  // One that fails ends it, so that nothing is written over a table of abilities that are all there.
  for (const capability of ALL)
    rows.push(`| ${capability.ability} | ${capability.deed} | ${await check(capability)} |`);
  const before = readFileSync(README, "utf8");
  expect(before).toMatch(TABLE);
  const table = ["| | what was done | what the emulated Discord recorded |", "|---|---|---|", ...rows];
  await expect(before.replace(TABLE, () => `${table.join("\n")}\n`)).toMatchFileSnapshot(README);
});
