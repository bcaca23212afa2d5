import { expect, test } from "vitest";
import { openCanopyTown } from "../stage/canopy-town.ts";
import { createListener } from "../stage/scripted-agent.ts";

const GROVE = { group: "grove" };
const HOUR_MS = 3_600_000;

test("an account's own rules of threads stand over the gateway's, and what it leaves out is the gateway's", async () => {
  const agent = createListener();
  const config = { ...agent.config, threads: { nameFrom: "label", idleHours: 5, maxAgeHours: 9 } };
  const account = { threads: { nameFrom: "task", idleHours: 2 } };
  const town = await openCanopyTown({ ...agent, config, account });
  const ada = town.person("ada");
  await ada.says("/spawn --thread --label census count the trees", GROVE);
  await ada.hears(/census.*done/s, GROVE);
  expect(town.record.threads).toMatchObject([{ name: "count the trees" }]);
  const [binding] = (await town.grove.read((read) => read.routes())).bindings;
  expect(binding).toMatchObject({ kind: "thread", idleMs: 2 * HOUR_MS, maxAgeMs: 9 * HOUR_MS });
  await ada.says("/focus census", GROVE);
  await ada.hears(/You now talk|Everybody here now talks/, GROVE);
  const focus = (await town.grove.read((read) => read.routes())).bindings.find(({ kind }) => kind === "focus");
  expect(focus).toMatchObject({ idleMs: 2 * HOUR_MS, maxAgeMs: 9 * HOUR_MS });
});

test("one account's threads can be switched off, and on where the gateway's are off", async () => {
  const agent = createListener();
  const off = await openCanopyTown({ ...agent, account: { threads: { enabled: false } } });
  await off.person("ada").says("/spawn --thread count the trees", GROVE);
  expect(await off.person("ada").hears(/thread/, GROVE)).toMatchObject({
    text: expect.stringContaining("switched off"),
  });
  expect(off.record.threads).toEqual([]);
  const on = await openCanopyTown({
    ...agent,
    config: { ...agent.config, threads: { enabled: false } },
    account: { threads: { enabled: true } },
  });
  await on.person("ada").says("/spawn --thread count the trees", GROVE);
  await on.person("ada").hears(/count the trees.*done/s, GROVE);
  expect(on.record.threads).toMatchObject([{ name: "count the trees" }]);
});
