import { formatAddress } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { openGrowingTown } from "./growing-town.ts";

test("what tells of a sub-agent in another message leaves none that grew", async () => {
  const town = await openGrowingTown();
  const life = await town.lives({ config: { growingAnswers: "edits" } });
  life.grow("The nap is");
  for (const delayMs of [1_500, 1_000]) await life.passes(delayMs);
  await town.ada.hears("The nap is ▍");
  const anchorId = String(await life.answers("🌱 nap", { turnId: "turn-0", deliveryId: "anchor" }));
  const completion = {
    runId: "0b5a3f0e-6f3d-4a53-9f0b-3a1d6ef0a001",
    childSessionKey: "agent:oak:subagent:1",
    task: "nap",
    outcome: "done",
    result: "well",
    durationMs: 1,
  } as const;
  await life.account.announce({
    delivery: { id: "d1", part: 0, of: 1, attempt: 1, createdAt: 0, mayHaveArrived: false, anchorId },
    completion,
    target: formatAddress({ channel: "telegram", account: "default", kind: "dm", chat: "42" }),
    text: "The nap is over",
    requesterSessionKey: "agent:oak:telegram:dm:42",
    childSessionKey: completion.childSessionKey,
    runId: completion.runId,
    turnId: "turn-1",
  });
  await town.telegram.called("deleteMessage");
  expect((await town.ada.messages()).map(({ text }) => text)).toEqual(["The nap is over"]);
});

test("an answer that grows in a message has a button that stops it, as long as it grows", async () => {
  const town = await openGrowingTown();
  const life = await town.lives({ config: { growingAnswers: "edits" } });
  life.grow("Once");
  for (const delayMs of [1_500, 1_000]) await life.passes(delayMs);
  const { messageId } = await town.ada.hears("Once ▍");
  const [message] = await town.ada.messages();
  const [, data = ""] = /"callback_data":"([^"]+)"/.exec(JSON.stringify(message?.replyMarkup)) ?? [];
  expect((await town.ada.presses("Stop"))?.text).toBe("On it.");
  expect(life.account.received).toMatchObject([{ text: "/stop", sender: { id: "42" } }]);
  life.ends();
  await life.answers("Once upon a time");
  await expect(town.ada.presses("Stop")).rejects.toMatchObject({ code: "unknown_message" });
  expect((await town.ada.presses("Stop", { messageId, data }))?.text).toBe("That answer has ended already.");
  expect(life.account.received).toHaveLength(1);
});

test("the button of an answer that a death has cut off stops its turn before it has said anything again", async () => {
  const town = await openGrowingTown();
  const first = await town.lives({ config: { growingAnswers: "edits" } });
  first.grow("Once");
  for (const delayMs of [1_500, 1_000]) await first.passes(delayMs);
  await town.ada.hears("Once ▍");
  const { cursor } = first.account;
  await first.account.close();
  const next = await town.lives({ config: { growingAnswers: "edits" }, cursor });
  expect((await town.ada.presses("Stop"))?.text).toBe("On it.");
  expect(next.account.received).toMatchObject([{ text: "/stop" }]);
  next.ends();
  expect((await town.ada.presses("Stop"))?.text).toBe("That answer has ended already.");
});
