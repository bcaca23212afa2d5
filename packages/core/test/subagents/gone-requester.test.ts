import { describe, expect, it } from "vitest";
import { archiveSession, openTestStore } from "../open-test-store.ts";
import { createGate } from "./tools/tool-desk.ts";
import { ADA, addressOf, TreeDesk } from "./tree-desk.ts";

interface Tree {
  readonly desk: TreeDesk;
  /** Of `top`, `middle` and `leaf`. */
  readonly keys: readonly string[];
  /** The leaf comes to its end. */
  end(): Promise<void>;
}

/** Ada's agent asks `top`, that one `middle`, that one `leaf`, which is at work. */
async function openTree(): Promise<Tree> {
  const main = { runtime: "played", workspace: "/workspace", tools: { deny: [] }, subagents: { maxSpawnDepth: 4 } };
  const desk = await new TreeDesk({ agents: { main } }).start();
  const spawns = (pattern: RegExp, task: string) =>
    desk.plays(pattern, async ({ call }) => {
      await call("sessions_spawn", { task, label: task });
      return "waiting";
    });
  spawns(/^go/, "top");
  spawns(/^top/, "middle");
  spawns(/^middle/, "leaf");
  const gate = createGate();
  desk.plays(/^leaf/, gate.player);
  await desk.says("go");
  return {
    desk,
    keys: (await desk.runs()).map(({ childSessionKey }) => childSessionKey),
    async end() {
      gate.open("the result");
      await desk.rest();
    },
  };
}

/** As nothing of ours leaves it: sessions are put away with what they wait for still at work. */
function forget({ data }: TreeDesk, keys: readonly (string | undefined)[]): void {
  for (const key of keys) {
    archiveSession(data, key ?? "");
  }
}

describe("a child whose requester is gone", () => {
  it("tells the nearest one above it that is there, and that one alone", async () => {
    const tree = await openTree();
    const { desk, keys } = tree;
    forget(desk, [keys[1]]);
    desk.plays(/“leaf”/, ({ input }) => `top heard: ${input.input[0]?.completion?.result}`);
    await tree.end();
    const leaf = (await desk.runs())[2];
    expect(leaf).toMatchObject({ state: "ended", endedReason: "complete", toldSessionKey: keys[0] });
    expect(await desk.lines(keys[0])).toContain("completion: done the result");
    expect(await desk.lines(keys[0])).toContain("assistant: top heard: the result");
    for (const other of [ADA, keys[1]]) expect(await desk.lines(other)).not.toContain("completion: done the result");
  });

  it("tells the person's session where that is the next, which tells the chat that it was asked from", async () => {
    const tree = await openTree();
    const { desk, keys } = tree;
    forget(desk, [keys[0], keys[1]]);
    desk.plays(/“leaf”/, () => "Ada's agent heard");
    await tree.end();
    expect((await desk.runs())[2]).toMatchObject({ toldSessionKey: ADA, settledBy: "parent" });
    expect(desk.heard()).toEqual(["waiting", "Ada's agent heard"]);
  });

  it("is undeliverable where nobody is left: seen in the outbox with the reason, and sent when somebody asks", async () => {
    const tree = await openTree();
    const { desk, keys } = tree;
    forget(desk, [ADA, ...keys.slice(0, 2)]);
    await tree.end();
    const [leaf] = (await desk.runs()).slice(-1);
    expect(leaf).toMatchObject({ state: "ended", endedReason: "complete", settledBy: "host" });
    expect(leaf?.toldSessionKey).toBeUndefined();
    const [row, ...more] = await desk.store.read.deliveries({ states: ["undeliverable"], limit: 9 });
    expect(more).toEqual([]);
    expect(row).toMatchObject({ kind: "completion", address: addressOf("ada") });
    expect(row?.error).toContain("Its requester's session is gone");
    expect(desk.heard()).toEqual(["waiting"]);
    await desk.gateway.operations["outbox-retry"]?.({ id: row?.id });
    await desk.rest();
    expect(desk.heard().at(-1)).toMatch(/^✅ \*\*leaf\*\* · done in .*\n\nthe result$/s);
    expect(await desk.store.read.delivery(row?.id ?? "")).toMatchObject({ state: "sent" });
  });

  it("stays undeliverable over a restart, and is not sent by it", async () => {
    const tree = await openTree();
    const { desk, keys } = tree;
    forget(desk, [ADA, ...keys.slice(0, 2)]);
    await tree.end();
    const [, , leaf] = await desk.runs();
    desk.crash();
    const next = await new TreeDesk({ data: desk.data }).start();
    await next.rest();
    expect(next.heard()).toEqual([]);
    const store = openTestStore({ clock: next.ports.clock, data: desk.data });
    const lost = await store.read.deliveries({ states: ["undeliverable"], limit: 9 });
    expect(lost.map(({ runId }) => runId)).toContain(leaf?.runId);
  });
});
