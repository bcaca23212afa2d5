import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";

test("where a chat can't receive files the agent learns it and says so once, and claims nothing else", async () => {
  const grove = await openGrove();
  writeFileSync(join(grove.folder, "README.md"), "x");
  const web = grove.web("operator");
  await web.says("send README.md");
  await web.hears(/can't receive files/);
  await web.says("send nothing.md");
  await web.hears(/^I can't send nothing\.md: (?!message failed)/);
  await grove.rests();
  expect((await web.lines()).slice(0, 2)).toEqual([
    "user: send README.md",
    `assistant: I can't send README.md: this chat can't receive files, so nothing was sent. "README.md" is in the workspace.`,
  ]);
  expect(await web.lines()).toHaveLength(4);
});
