import { expect, it } from "vitest";
import { findDelivered } from "../src/gateway-context.ts";
import { addressOf, TreeDesk } from "./subagents/tree-desk.ts";

it("a plugin that looks for a lost message learns which ids of the history are others'", async () => {
  const desk = await new TreeDesk().start();
  await desk.says("one");
  await desk.says("two");
  await desk.says("three", "bob");
  const [one, two, three] = desk.sent.map(({ deliveryId }) => deliveryId);
  const platformIds = [one ?? "", "from elsewhere", two ?? "", three ?? ""];
  expect(await desk.context?.findDelivered({ address: addressOf("ada"), platformIds })).toEqual(new Set([one, two]));
  expect(await desk.context?.findDelivered({ address: addressOf("bob"), platformIds })).toEqual(new Set([three]));
});

it("asks for a page at most", async () => {
  const platformIds = Array.from({ length: 1_001 }, (_, at) => `${at}`);
  const read = { receipts: async () => platformIds };
  const asked = (ids: readonly string[]) => findDelivered(read, { address: addressOf("ada"), platformIds: ids });
  await expect(asked(platformIds)).rejects.toThrow(/at most 1000 ids at a time, received 1001; ask page by page/);
  expect((await asked(platformIds.slice(1))).size).toBe(1_001);
});
