import { expect, it } from "vitest";
import { TreeDesk } from "../../subagents/tree-desk.ts";

it("/status shows what is not delivered; no other command counts it", async () => {
  const desk = await new TreeDesk().start();
  const { counts } = desk.store.read;
  let looks = 0;
  Object.assign(desk.store.read, {
    counts: () => {
      looks += 1;
      return counts();
    },
  });
  await desk.says("/help");
  await desk.says("/whoami");
  expect(looks).toBe(0);
  await desk.says("/status");
  expect(desk.heard().at(-1)).not.toContain("not settled");
  Object.assign(desk.store.read, { counts: async () => ({ ...(await counts()), unsettledDeliveries: 2 }) });
  await desk.says("/status");
  expect(desk.heard().at(-1)).toMatch(/^2 deliveries are not settled yet\.$/m);
});
