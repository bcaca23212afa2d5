import { expect, it } from "vitest";
import { TreeDesk } from "../subagents/tree-desk.ts";
import { aborted } from "./played-runtime.ts";

/** A desk whose agent never ends what it is asked; `before`: its process has died. */
async function open(before?: TreeDesk): Promise<TreeDesk> {
  before?.crash();
  const desk = new TreeDesk(before === undefined ? {} : { data: before.data, ports: before.ports });
  desk.messages = before?.messages ?? 0;
  desk.plays(/walk/, async ({ signal }) => {
    await aborted(signal);
    return "";
  });
  await desk.start();
  await desk.rest();
  return desk;
}

it("/queue says that a turn was active at two crashes in a row, and not at one", async () => {
  const first = await open();
  await first.says("walk");
  const second = await open(first);
  await second.says("/queue");
  expect(second.heard().at(-1)).toMatch(/^I am working; /);
  const third = await open(second);
  await third.says("/queue");
  expect(third.heard().at(-1)).toMatch(/^I am working, after repeated crashes of the gateway \(`suspect`\); /);
});
