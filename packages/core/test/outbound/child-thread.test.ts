import { type Announcement, formatAddress, parseAddress } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { ThreadAccount } from "../subagents/timers/thread-account.ts";
import { addressOf, TreeDesk } from "../subagents/tree-desk.ts";

async function openDesk() {
  const announced: Pick<Announcement, "childThread" | "delivery" | "runId">[] = [];
  const desk = await new TreeDesk({ threads: new ThreadAccount() }).start();
  desk.gateway.hooks.announce.tap("watch", (announcement) => void announced.push(announcement));
  const threadOf = (runId = "") => formatAddress({ ...parseAddress(addressOf("ada")), thread: runId.slice(0, 8) });
  return { desk, announced, threadOf };
}

it("what tells of a run's end names the thread of the child, part for part, and none where it had none", async () => {
  const { desk, announced, threadOf } = await openDesk();
  desk.plays(/^long/, () => "long ".repeat(1_000));
  await desk.says("/spawn --thread --mode run long");
  await desk.says("/spawn --thread stay");
  await desk.says("/spawn alone");
  const [run, stays, alone] = await desk.runs();
  expect(announced.map(({ runId, delivery, childThread }) => [runId, delivery.part, childThread])).toEqual([
    [run?.runId, 0, threadOf(run?.runId)],
    [run?.runId, 1, threadOf(run?.runId)],
    [stays?.runId, 0, threadOf(stays?.runId)],
    [alone?.runId, 0, undefined],
  ]);
});

it("it names it also when the thread leads to the child no more, and its conversation has begun anew", async () => {
  const { desk, announced, threadOf } = await openDesk();
  await desk.says("/spawn --thread --label w stay");
  const [run] = await desk.runs();
  const thread = threadOf(run?.runId);
  await desk.saysAt(thread, "/new");
  await desk.saysAt(thread, "/unfocus");
  await desk.says("/subagents send w once more");
  expect(announced.map(({ childThread }) => childThread)).toEqual([thread, thread]);
});
