import { beforeEach, expect, it } from "vitest";
import { createSecretScrubber } from "../../../src/ports/secret-scrubber.ts";
import { createTestPorts } from "../../ports/test-ports.ts";
import { createPlayedRuntime } from "../../turns/played-runtime.ts";
import { BusyDesk, blockOf } from "./busy-desk.ts";

const SECRET = "canary-key";
const COUNT = "4,210 words in 4 files.";
let desk: BusyDesk;
let goOn: PromiseWithResolvers<void>;

/** One sub-agent that is in the middle of its work, and has said how far it is. */
async function begin(said: string): Promise<void> {
  goOn = Promise.withResolvers();
  const runtime = createPlayedRuntime();
  runtime.play = async function* () {
    yield { type: "text", delta: said };
    await goOn.promise;
    yield { type: "text", delta: COUNT };
    yield { type: "end", reason: "done" };
  };
  const { holdBack } = createSecretScrubber([SECRET]);
  const ports = createTestPorts({ scrub: (text) => text.replaceAll(SECRET, "files"), holdBack });
  desk = await new BusyDesk({ ports, options: { runtimes: { played: async () => runtime } } }).start();
  await desk.says("/spawn --label words count words");
}

beforeEach(() => begin(`Counting: 4 files.\n2 of 4 ${SECRET} so far.\n`));

it("what a sub-agent says while it works stands behind it, in the list and in the tree", async () => {
  expect(blockOf(await desk.ask("/subagents"))).toEqual(["1  words  running  0.0 s  2 of 4 files so far."]);
  expect(blockOf(await desk.ask("/tree"))).toEqual(["└ words   running   0.0 s   2 of 4 files so far."]);
});

it("and is told with all about it, and at the end of its log", async () => {
  expect(await desk.ask("/subagents info")).toContain("It says just now:\n> 2 of 4 files so far.");
  expect(blockOf(await desk.ask("/subagents log"))).toEqual(["main: 2 of 4 files so far. …"]);
});

it("when it is done, its last line is what stands there: the count", async () => {
  goOn.resolve();
  await desk.rest();
  expect(blockOf(await desk.ask("/tree"))).toEqual([`└ words   done   0.0 s   ${COUNT}`]);
  expect(await desk.ask("/subagents info")).not.toContain("just now");
});

it("attack 34: the last line of an answer that grows ends before what may be a secret", async () => {
  await begin("The key is canary-");
  expect(blockOf(await desk.ask("/tree"))).toEqual(["└ words   running   0.0 s   The key is"]);
});
