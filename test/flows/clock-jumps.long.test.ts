import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createStandingClock } from "../stage/hurried-clock.ts";
import { createListener } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

const DAY_MS = 86_400_000;
const LIMIT_S = 60;

const JUMPS = [
  { to: "a day ahead", byMs: DAY_MS },
  { to: "a day back", byMs: -DAY_MS },
] as const;

/** A gateway whose wall clock can be set, in front of a Telegram that has just told it to wait for a minute. */
async function openLimitedTown() {
  const clock = createStandingClock();
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ env, ports: { clock }, ...createListener() });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const fault = { kind: "too-many-requests", retryAfterS: LIMIT_S, times: 1 } as const;
  await telegram.faults.add({ method: "sendMessage", ...fault });
  await ada.says("one");
  await grove.until("the answer to wait", async () =>
    (await grove.deliveries())[0]?.error === undefined ? undefined : true,
  );
  const sends = async () => (await telegram.record({ method: "sendMessage" })).length;
  return { clock, grove, ada, sends };
}

test.each(JUMPS)(
  "attack 32: while an answer waits for its next attempt and others are made, the wall clock jumps $to: each is sent once, at its time",
  async ({ byMs }) => {
    const { clock, grove, ada, sends } = await openLimitedTown();
    clock.jump(byMs);
    await ada.says("two");
    await grove.until("the second answer", async () => ((await grove.deliveries()).length === 2 ? true : undefined));
    clock.advance(LIMIT_S * 1_000 - 1);
    const web = grove.web("ada");
    await web.says("and here?");
    await web.hears("heard: and here?");
    expect(await sends()).toBe(1);
    clock.advance(1);
    await ada.hears("heard: one");
    await ada.hears("heard: two");
    await grove.rests();
    clock.advance(3_600_000);
    await grove.rests();
    expect((await ada.messages()).map(({ text }) => text)).toEqual(["heard: one", "heard: two"]);
    expect(await sends()).toBe(3);
  },
);

test.each(JUMPS)(
  "attack 32: the wall clock has jumped $to when the gateway starts again: what waited goes out, once and soon",
  async ({ byMs }) => {
    const { clock, grove, ada, sends } = await openLimitedTown();
    await grove.stop();
    clock.jump(byMs);
    await grove.restart();
    await ada.says("two");
    await grove.until("the second answer", async () => ((await grove.deliveries()).length === 2 ? true : undefined));
    clock.advance(LIMIT_S * 1_000 + 1_000);
    await ada.hears("heard: one");
    await ada.hears("heard: two");
    await grove.rests();
    expect((await ada.messages()).map(({ text }) => text)).toEqual(["heard: one", "heard: two"]);
    expect(await sends()).toBe(3);
  },
);

test("attack 32: what is told once an hour is told again when the wall clock was set back a day, and no oftener", async () => {
  const clock = createStandingClock();
  const { telegram, env } = await openTelegram([7]);
  const config = { channels: { telegram: { accounts: { default: { dmPolicy: "allowlist" } } } } };
  const grove = await openGrove({ ...createListener(), env, config, ports: { clock } });
  const eve = await telegram.user({ id: 9, firstName: "Eve" });
  const knocks = async () => {
    for (const text of ["hello", "hello?", "hello!"]) await eve.says(text);
    await grove.until("all to be stored", async () => ((await telegram.bot()).pendingUpdates === 0 ? true : undefined));
    await grove.rests();
    return (await eve.messages()).length;
  };
  expect(await knocks()).toBe(1);
  clock.jump(-DAY_MS);
  expect(await knocks()).toBe(2);
});
