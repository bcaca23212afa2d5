import { createGate, say, wait } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openCanopyTown } from "../stage/canopy-town.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";

const GROVE = { group: "grove" };

test("what of a result did not arrive is sent again when somebody there asks for it, once, over restarts as well", async () => {
  const gate = createGate();
  const agent = createScriptedAgent((turn) => [
    wait(gate),
    ...say(`heard: ${turn.input.input.map(({ text }) => text).join("\n")}`),
  ]);
  const town = await openCanopyTown(agent);
  const ada = town.person("ada");
  await ada.says("/spawn --label census count the trees", GROVE);
  await ada.hears(/🌱 .*census/, GROVE);
  town.platform.fail("send", 403);
  gate.open();
  const lost = () => town.grove.read((read) => read.deliveries({ states: ["undeliverable"], limit: 9 }));
  await town.grove.until("the refusal", async () => (await lost())[0]);
  await town.grove.restart();
  await ada.says("/retry census", GROVE);
  await ada.hears("Trying again: what of **census** did not arrive (1 message).", GROVE);
  await ada.hears(/^✅ .*census.*heard: count the trees/s, GROVE);
  await ada.says("/retry census", GROVE);
  await ada.hears("Nothing to send again: no message of **census** has failed.", GROVE);
  await town.grove.rests();
  expect(town.textsAt("ada", GROVE).filter((text) => text.includes("heard: count the trees"))).toHaveLength(1);
  expect(await lost()).toEqual([]);
});
