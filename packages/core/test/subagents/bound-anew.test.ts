import type { Address } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { buildThread, openAskingChild } from "./asking-child-desk.ts";
import type { TreeDesk, TreeDeskOptions } from "./tree-desk.ts";

const OLD = buildThread("grove", "7");
const NEW = buildThread("grove", "8");

interface ThreadDesk {
  readonly desk: TreeDesk;
  /** What the sub-agent has asked for comes to its end. */
  finds(result: string): Promise<void>;
}

/** A sub-agent in a thread of its own, that asks another one for what takes its time. */
async function openThread(options: TreeDeskOptions["options"] = {}): Promise<ThreadDesk> {
  const { desk, leaf } = await openAskingChild(OLD, options);
  await desk.says("/spawn --thread --mode session --label m middle");
  const finds = async (result: string) => {
    leaf.resolve(result);
    await desk.later(20 * 60_000);
  };
  return { desk, finds };
}

/** The sub-agent's thread is another one from now on. */
async function bindAnew({ store }: TreeDesk, address: Address): Promise<void> {
  const [standing] = (await store.read.routes()).bindings;
  const sessionKey = standing?.sessionKey ?? "";
  const times = { timers: [], endTimers: [] };
  await store.commit({ step: "bind", address: OLD, binding: null, bindingId: standing?.id ?? "", ...times });
  await store.commit({ step: "bind", address, binding: { id: "anew", address, sessionKey, kind: "thread" }, ...times });
}

it("what was asked for in a thread that was bound anew is told in the thread that is bound now", async () => {
  const { desk, finds } = await openThread();
  await desk.saysAt(OLD, "please look");
  await bindAnew(desk, NEW);
  await finds("12 files");
  expect(desk.heardAt(NEW)).toEqual(["x found 12 files"]);
  expect(desk.heardAt(OLD).at(-1)).toBe("I asked x");
  expect((await desk.runs()).at(-1)).toMatchObject({ route: OLD, target: NEW, settledBy: "parent" });
});

it("but never in another chat: what was asked for through a focus there is told there, by the host", async () => {
  const everywhere = { routes: [], defaultAgent: "main", scope: "global", dmScope: "main" } as const;
  const { desk, finds } = await openThread({ routes: everywhere });
  const topic = buildThread("meadow", "9");
  await desk.saysAt(topic, "/focus m");
  await desk.saysAt(topic, "please look");
  await desk.saysAt(topic, "/unfocus");
  await finds("12 files");
  expect(desk.heardAt(OLD)).toEqual(["ready"]);
  expect(desk.heardAt(topic).at(-1)).toMatch(/^✅ \*\*x\*\* .*\n\n12 files$/);
});
