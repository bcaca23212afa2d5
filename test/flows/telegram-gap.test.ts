import { callGatewayStatus } from "@banyan/core";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createHurriedClock } from "../stage/hurried-clock.ts";
import { createListener } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

const STOP_MS = 50 * 3_600_000;

test("T37: after two days without a gateway the operator reads what time is lost at Telegram, in the log and in the status", async () => {
  const agent = createListener();
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ ...agent, env, config: agent.config });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("one");
  await ada.hears("heard: one");
  await grove.stop();
  await ada.says("lost");
  await telegram.passTime(STOP_MS);
  await ada.says("two");

  const clock = createHurriedClock(1);
  await grove.restart({ ports: { clock: { ...clock, now: () => clock.now() + STOP_MS } } });
  await ada.hears("heard: two");
  const told = await grove.until("the warning", () => grove.log.find((line) => line.includes("24 hours")));
  expect(told).toMatch(/what was written between .* UTC and .* UTC is lost there; ask people to write again/);
  const { accounts } = await callGatewayStatus(grove.stateDir);
  expect(accounts["telegram/default"]).toMatchObject({ state: "running", detail: expect.stringMatching(/24 hours/) });
  expect((await ada.messages()).map(({ text }) => text)).toEqual(["heard: one", "heard: two"]);
});

test("an idle gateway leaves behind when it asked last", async () => {
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ env });
  await telegram.called("setMyCommands", 2);
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.blocks();
  const stored = await grove.until("a cursor", () => grove.read((reads) => reads.cursor("telegram", "default")));
  await grove.stop();
  expect(stored).toMatch(/^\d+ \d{13} \d{13}$/);
  expect(grove.log.join("\n")).not.toContain("was not stored");
});
