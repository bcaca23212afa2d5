import { ChannelError, isAddress } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { openTestData } from "../open-test-store.ts";
import { ThreadAccount } from "../subagents/timers/thread-account.ts";
import { ADA, TreeDesk } from "../subagents/tree-desk.ts";
import { createRebinding } from "./rebinding.ts";

const DAY_MS = 24 * 3_600_000;

/** A sub-agent in a thread of its own, which is bound to Ada's own conversation while somebody else frees it. */
async function openThread() {
  const data = openTestData();
  const threads = new ThreadAccount();
  const fault = createRebinding(data, { id: "other", sessionKey: ADA });
  const desk = await new TreeDesk({ data, threads, fault }).start();
  await desk.says("/spawn --thread --mode session --label w look");
  await desk.rest();
  const [binding] = (await desk.store.read.routes()).bindings;
  if (binding === undefined || !isAddress(binding.address)) throw new Error("nothing is bound");
  const { address } = binding;
  const readBound = async () => (await desk.store.read.routes()).bindings.map(({ id }) => id);
  return { desk, threads, binding, address, readBound };
}

describe("what is bound to a place while an earlier binding is removed stays", () => {
  it("where that one has expired; the thread is not closed", async () => {
    const { desk, threads, readBound } = await openThread();
    for (let days = 0; days < 10; days += 1) await desk.later(DAY_MS);
    expect(await readBound()).toEqual(["other"]);
    expect(threads.done.filter((done) => done.startsWith("archive"))).toEqual([]);
    expect(desk.ports.logged.map(({ message }) => message)).not.toContain(
      "a place does not lead to its sub-agent any more",
    );
  });

  it("where the platform says that its thread is gone", async () => {
    const { desk, address, readBound } = await openThread();
    desk.refuse = (message) =>
      message.address === address ? new ChannelError("thread_gone", "there is no such thread") : undefined;
    await desk.saysAt(address, "are you there?");
    await desk.rest();
    expect(desk.ports.logged.map(({ message }) => message)).not.toContain(
      "a thread is gone, and its sub-agent with it from there",
    );
    expect(await readBound()).toEqual(["other"]);
  });

  it("where its session is deleted; the thread is not closed", async () => {
    const { desk, threads, binding, readBound } = await openThread();
    const deleted = desk.gateway.operations["sessions-delete"]?.({ key: binding.sessionKey });
    await desk.later(1_000);
    await deleted;
    await desk.later(60_000);
    expect(await readBound()).toEqual(["other"]);
    expect(threads.done.filter((done) => done.startsWith("archive"))).toEqual([]);
  });
});

it("/unfocus is decided again where another binding has come: that one stays, and the answer does not say otherwise", async () => {
  const { desk, address, readBound } = await openThread();
  await desk.saysAt(address, "/unfocus");
  expect(await readBound()).toEqual(["other"]);
  expect(desk.heardAt(address).at(-1)).toMatch(/^Here you talk with the agent \*\*main\*\*; no sub-agent has/);
  const unbinding = desk.steps.filter((step) => step.step === "command" && step.bind?.binding === null);
  expect(unbinding).toHaveLength(1);
});
