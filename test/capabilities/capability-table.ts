/** The table of a plugin's README: each row is there because its check has passed, and is written with `vitest -u`. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** One row of a plugin's table: it stands there only where its check has just passed. */
export interface Capability {
  readonly ability: string;
  /** What was done. */
  readonly deed: string;
  /** Does it against the emulator, and answers what the emulator recorded. Throws where it is not so. */
  check(): Promise<string>;
}

const TABLE = /(?<=<!-- capabilities, written by `vitest run test\/capabilities -u` -->\n)[\s\S]*(?=<!-- end -->)/;
const CHECK_MS = 60_000;

/** The tests of all rows, and of the table that they are. `platform`: as people write it; `plugin`: its folder. */
export function testCapabilities(platform: string, plugin: string, all: readonly Capability[]): void {
  const readme = new URL(`../../plugins/${plugin}/README.md`, import.meta.url).pathname;
  /** What each check that was made brought, whichever test asked for it first. */
  const checked = new Map<Capability, Promise<string>>();

  function check(capability: Capability): Promise<string> {
    const known = checked.get(capability);
    if (known !== undefined) return known;
    const made = capability.check();
    checked.set(capability, made);
    return made;
  }

  test.each(all)("$ability", { timeout: CHECK_MS }, async (capability) => {
    expect(await check(capability)).not.toBe("");
  });

  test("the README of the plugin has a row for each ability that was just shown, and no other", {
    timeout: all.length * CHECK_MS,
  }, async () => {
    const rows: string[] = [];
    // One that fails ends it, so that nothing is written over a table of abilities that are all there.
    for (const capability of all)
      rows.push(`| ${capability.ability} | ${capability.deed} | ${await check(capability)} |`);
    const before = readFileSync(readme, "utf8");
    expect(before).toMatch(TABLE);
    const table = [`| | what was done | what the emulated ${platform} recorded |`, "|---|---|---|", ...rows];
    await expect(before.replace(TABLE, () => `${table.join("\n")}\n`)).toMatchFileSnapshot(readme);
  });
}
