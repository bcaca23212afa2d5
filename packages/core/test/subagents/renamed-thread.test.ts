import { type Address, formatAddress, parseAddress } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { ThreadAccount } from "./timers/thread-account.ts";
import { addressOf, TreeDesk } from "./tree-desk.ts";

const threadOf = (place: Address, thread: string) => formatAddress({ ...parseAddress(place), thread });

describe("attack 28: a thread that was renamed, made again or moved", () => {
  it("leads to a child by its id alone, whatever it is called and wherever one of its name stands", async () => {
    const desk = await new TreeDesk({ threads: new ThreadAccount() }).start();
    desk.plays(/^work/, () => "the result");
    await desk.says("/spawn --thread --mode session --label census work");
    const [binding] = (await desk.store.read.routes()).bindings;
    const [run] = await desk.runs();
    const { thread = "" } = parseAddress(binding?.address ?? "");
    const lines = async () => (await desk.lines(run?.childSessionKey)).length;
    const before = await lines();
    // One of its name, one whose id begins alike, and the same id in another chat.
    for (const other of [
      threadOf(addressOf("ada"), "census"),
      threadOf(addressOf("ada"), `${thread}0`),
      threadOf(addressOf("bob"), thread),
    ]) {
      await desk.saysAt(other, "hello", parseAddress(other).chat);
    }
    expect(await lines()).toBe(before);
    await desk.saysAt(threadOf(addressOf("ada"), thread), "hello");
    expect(await lines()).toBe(before + 2);
  });
});
