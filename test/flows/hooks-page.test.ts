import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";

const PAGES = ["README.md", "docs/hooks.md"] as const;

/** The plugin as the page shows it. */
function readPlugin(page: string): string {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");
  return /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
}

test.each(PAGES)("the plugin of %s has at most fifteen lines and taps three hooks of sub-agents", (page) => {
  const plugin = readPlugin(page);
  expect(plugin.trim().split("\n").length).toBeLessThanOrEqual(15);
  for (const hook of ["subagent_spawning", "subagent_spawned", "announce"]) expect(plugin).toContain(`hooks.${hook}.`);
});

test.each(PAGES)("the plugin of %s refuses a thread, logs a sub-agent and keeps its result", async (page) => {
  const grove = await openGrove({
    config: { agents: { main: { workspace: "." } }, plugins: ["./watch.ts"] },
    files: { "watch.ts": readPlugin(page), "docs/one.md": "three small words\n" },
  });
  const ada = grove.web("ada");
  await ada.says("/spawn --thread count words in docs");
  await ada.hears(/Threads are only for Discord\./);
  expect(grove.log.join("\n")).not.toContain("a sub-agent was accepted");
  await ada.says("/spawn count words in docs");
  const { text } = await ada.hears(/docs\/ has 3 words/);
  await grove.rests();
  expect(readFileSync(join(grove.folder, "results.md"), "utf8")).toBe(`${text}\n`);
  expect(grove.log.filter((line) => line.includes("a sub-agent was accepted"))).toHaveLength(1);
});
