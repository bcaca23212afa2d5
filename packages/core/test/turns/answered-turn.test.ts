import type { ProgressAbility } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { openTestData } from "../open-test-store.ts";
import { TreeDesk } from "../subagents/tree-desk.ts";
import { CoreDesk } from "./core-desk.ts";
import { says } from "./played-runtime.ts";

it("an answer says which turn it ends, by the id of the growing one, also where the turn ran again", async () => {
  const data = openTestData();
  const shown: string[] = [];
  const progress: ProgressAbility = { update: ({ turnId }) => void shown.push(turnId), end: () => undefined };
  const earlier = await new CoreDesk({ data, connection: { progress } }).connect();
  earlier.runtime.play = async function* () {
    yield { type: "text", delta: "it grows" };
    await new Promise(() => undefined);
  };
  await earlier.says("hello");
  await earlier.store.commit({ step: "recover", owner: "later" });
  const desk = await new CoreDesk({ data, connection: { progress } }).connect();
  await desk.lanes.resume();
  await quiet();
  expect(shown).toEqual([shown[0], shown[0]]);
  expect(desk.sent).toMatchObject([{ kind: "reply", text: "re: hello", turnId: shown[0] }]);
});

it("each part of it says so, and what the host says itself answers no turn", async () => {
  const desk = await new CoreDesk().connect();
  desk.runtime.play = async function* () {
    yield* says("a".repeat(5_000));
  };
  await desk.says("hello");
  const [first, second] = desk.sent;
  expect([first?.part, second?.part]).toEqual([0, 1]);
  expect(second?.turnId).toBe(first?.turnId);
  desk.runtime.play = async function* () {
    yield { type: "end", reason: "error", error: { message: "no luck", isRetryable: false } };
  };
  await desk.says("hello");
  expect(desk.sent.at(-1)).toMatchObject({ kind: "notice" });
  expect(desk.sent.at(-1)).not.toHaveProperty("turnId");
  await desk.says("/whoami");
  expect(desk.sent.at(-1)).toMatchObject({ kind: "command" });
  expect(desk.sent.at(-1)).not.toHaveProperty("turnId");
});

it("a requester that tells of a run itself says by which turn; the host's telling is of none", async () => {
  const desk = await new TreeDesk().start();
  const turns: (string | undefined)[] = [];
  desk.gateway.hooks.announce.tap("watch", ({ turnId }) => void turns.push(turnId));
  desk.plays(/^count/, async ({ call }) => {
    await call("sessions_spawn", { task: "look", label: "docs" });
    return "asked";
  });
  desk.plays(/^look/, () => "12 files");
  desk.plays(/“docs”/, () => "It found 12.");
  await desk.says("count");
  expect(turns).toEqual([desk.turns.at(-1)?.turnId]);
  expect(desk.sent.at(-1)).toMatchObject({ kind: "completion", text: "It found 12.", turnId: turns[0] });
  await desk.says("/spawn --label more look");
  expect(turns).toHaveLength(2);
  expect(turns[1]).toBeUndefined();
});
