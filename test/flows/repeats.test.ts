import { expect, test } from "vitest";
import { openCanopyTown } from "../stage/canopy-town.ts";
import { createHurriedClock } from "../stage/hurried-clock.ts";
import { createListener } from "../stage/scripted-agent.ts";

test("a plugin is told that a message may have arrived where its answer was lost, and only there", async () => {
  const town = await openCanopyTown({ ...createListener(), ports: { clock: createHurriedClock(50) } });
  const ada = town.person("ada");
  town.platform.fail("send", 503);
  town.platform.fail("send", "lost");
  await ada.says("hello");
  const message = await ada.hears("heard: hello");
  await town.grove.rests();
  // The refused attempt left no doubt, the lost one does.
  expect(message).toMatchObject({ kind: "reply", repeats: 1, doubts: [false, true] });
  expect(await town.grove.deliveries()).toMatchObject([{ state: "sent", attempts: 3 }]);
});

test("and where the process has ended over it; it stands there once, as the end of the same turn", async () => {
  const town = await openCanopyTown({ ...createListener(), ports: { clock: createHurriedClock(50) } });
  const ada = town.person("ada");
  town.platform.fail("send", "held");
  await ada.says("hello");
  const { key, turnId } = await ada.hears("heard: hello");
  expect(turnId).toMatch(/^agent:main:canopy:dm:ada#\d+$/);
  await town.grove.restart();
  await town.grove.rests();
  expect(town.record.messages).toMatchObject([{ key, turnId, repeats: 1, doubts: [false, true] }]);
});
