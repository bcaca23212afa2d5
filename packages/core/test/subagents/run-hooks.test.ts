import { type DeliveryTarget, type EndedRun, formatAddress, type SpawnedRun } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { aborted } from "../turns/played-runtime.ts";
import { ThreadAccount } from "./timers/thread-account.ts";
import { ADA, addressOf, TreeDesk, type TreeDeskOptions } from "./tree-desk.ts";

const LODGE = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "lodge" });

/** Ada's agent gives out one task, and tells of its end; or a person does, and the host tells. */
async function openDesk(options: TreeDeskOptions = {}): Promise<TreeDesk> {
  const desk = await new TreeDesk(options).start();
  desk.plays(/^go/, async ({ call }) => {
    await call("sessions_spawn", { task: "work", label: "w" });
    return "asked";
  });
  desk.plays(/^work/, () => "the result");
  desk.plays(/“w”/, () => "it says so");
  return desk;
}

describe("subagent_spawned", () => {
  it("is called once, with what was asked and its thread, when the acceptance stands", async () => {
    const desk = await openDesk({ threads: new ThreadAccount() });
    const told: { readonly run: SpawnedRun; readonly state: string | undefined }[] = [];
    desk.gateway.hooks.subagent_spawned.tapPromise("test", async (run) => {
      told.push({ run, state: (await desk.store.read.run(run.runId))?.state });
    });
    await desk.says("/spawn --label w --thread --mode session work");
    const [row] = await desk.runs();
    expect(told).toHaveLength(1);
    expect(told[0]?.state).not.toBe("reserved");
    expect(told[0]?.run).toMatchObject({
      runId: row?.runId,
      childSessionKey: row?.childSessionKey,
      agentId: "main",
      label: "w",
      task: "work",
      mode: "session",
      threadRequested: true,
      requester: { channel: "irc", accountId: "default", to: "ada", address: addressOf("ada") },
      requesterSessionKey: ADA,
      binding: { address: expect.stringContaining("irc/default/dm/ada/") },
    });
  });

  it("is not called for a spawn that came to nothing, nor again for a call that runs again", async () => {
    const desk = await openDesk();
    const told: string[] = [];
    desk.gateway.hooks.subagent_spawned.tap("test", ({ runId }) => void told.push(runId));
    await desk.says("/spawn --agent nobody work");
    expect(told).toEqual([]);
    await desk.says("go");
    expect(told).toHaveLength(1);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("a broken plugin"))],
    ["never answers", () => new Promise<never>(() => undefined)],
  ])("fails no run where a tap %s", async (_what, tap) => {
    const desk = await openDesk();
    desk.gateway.hooks.subagent_spawned.tapPromise("bad", tap);
    desk.gateway.hooks.subagent_ended.tapPromise("bad", tap);
    await desk.says("go");
    expect(desk.heard()).toEqual(["asked", "it says so"]);
    await desk.later(10_000);
    expect(desk.ports.logged.filter(({ message }) => message === "a tap failed")).toHaveLength(2);
  });
});

describe("subagent_ended", () => {
  it("is called once for each run, with how it ended, also for what ends with another", async () => {
    const desk = await openDesk();
    const told: EndedRun[] = [];
    desk.gateway.hooks.subagent_ended.tap("test", (run) => void told.push(run));
    desk.plays(/^top/, async ({ call, signal }) => {
      await call("sessions_spawn", { task: "hang", label: "h" });
      await aborted(signal);
      return "";
    });
    desk.plays(/^hang/, async ({ signal }) => {
      await aborted(signal);
      return "";
    });
    await desk.says("go");
    await desk.says("/spawn --label t top");
    await desk.says("/kill t");
    const ends = told.map(({ completion: { label, outcome, result } }) => [label, outcome, result]);
    expect(ends).toEqual([
      ["w", "done", "the result"],
      ["h", "killed", ""],
      ["t", "killed", ""],
    ]);
    expect(told.map(({ runId }) => runId).toSorted()).toEqual((await desk.runs()).map(({ runId }) => runId).toSorted());
  });
});

describe("subagent_delivery_target", () => {
  it("sends elsewhere what the host tells; the record stays with who had asked", async () => {
    const desk = await openDesk();
    const asked: DeliveryTarget[] = [];
    desk.gateway.hooks.subagent_delivery_target.tap("test", (event) => {
      asked.push(event);
      return LODGE;
    });
    await desk.says("/spawn --label w work");
    expect(asked).toMatchObject([{ requesterSessionKey: ADA, target: addressOf("ada"), completion: { label: "w" } }]);
    expect(desk.heardAt(LODGE)).toEqual([expect.stringContaining("the result")]);
    expect(desk.heard()).toEqual([expect.stringContaining("is at work")]);
    expect(await desk.lines()).toEqual(["completion: done the result"]);
    expect((await desk.runs())[0]?.target).toBe(LODGE);
  });

  it("is asked once for each run, when that ends: not while it waits for its own", async () => {
    const desk = await openDesk();
    const leaf = Promise.withResolvers<string>();
    desk.plays(/^middle/, async ({ call }) => {
      await call("sessions_spawn", { task: "leaf", label: "x" });
      return "waiting";
    });
    desk.plays(/^leaf/, () => leaf.promise);
    desk.plays(/“x”/, () => "all done");
    const asked: (string | undefined)[] = [];
    desk.gateway.hooks.subagent_delivery_target.tap("test", ({ completion }) => {
      asked.push(`${completion.label}: ${completion.result}`);
      return undefined;
    });
    await desk.says("/spawn --label m middle");
    expect(asked).toEqual([]);
    leaf.resolve("leaf result");
    await desk.rest();
    expect(asked).toEqual(["x: leaf result", "m: all done"]);
  });

  it("is asked once for an end that the store takes at the second try only", async () => {
    const desk = await openDesk();
    let asked = 0;
    desk.gateway.hooks.subagent_delivery_target.tapPromise("slow", async ({ runId }) => {
      asked += 1;
      // Something else about the child changes meanwhile.
      const run = await desk.store.read.run(runId);
      const session = await desk.store.read.session(run?.childSessionKey ?? "");
      if (session === undefined) throw new Error("the child has no session");
      const { key, agentId, sessionId, file, revision, body } = session;
      const write = { key, agentId, sessionId, file, body, expectRevision: revision };
      await desk.store.commit({ step: "write_session", writeId: `w${asked}`, session: write });
      return LODGE;
    });
    await desk.says("/spawn --label w work");
    expect(desk.heardAt(LODGE)).toEqual([expect.stringContaining("the result")]);
    expect(asked).toBe(1);
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["a number", 42],
    ["an object", { chat: "lodge" }],
    ["a text that is no address", "lodge"],
    ["an empty text", ""],
    ["a place whose text is spoilt", "irc/default/dm/%zz"],
    ["an address in a list", [LODGE]],
  ])("that answers %s changes nothing: the chat that asked is told, once", async (_what, answer) => {
    for (const line of ["go", "/spawn --label w work"]) {
      const desk = await openDesk();
      desk.gateway.hooks.subagent_delivery_target.tap("bad", () => JSON.parse(JSON.stringify(answer)));
      await desk.says(line);
      const told = line === "go" ? "it says so" : expect.stringContaining("the result");
      expect(desk.heard()).toEqual([expect.any(String), told]);
      expect((await desk.runs()).map(({ state, target }) => [state, target])).toEqual([["ended", addressOf("ada")]]);
    }
  });

  it.each(["nowhere/default/dm/ada", "irc/other/dm/ada"])(
    "that names %s, where nobody is, leaves the message in the outbox, to be seen and dropped",
    async (place) => {
      const desk = await openDesk();
      desk.gateway.hooks.subagent_delivery_target.tap("lost", () => JSON.parse(JSON.stringify(place)));
      await desk.says("/spawn --label w work");
      const rows = (await desk.store.read.deliveries({ limit: 9 })).filter(({ kind }) => kind === "completion");
      expect(rows).toMatchObject([{ state: "pending", address: place }]);
      expect(await desk.lines()).toEqual(["completion: done the result"]);
      await desk.gateway.operations["outbox-drop"]?.({ id: rows[0]?.id });
      expect(await desk.store.read.delivery(rows[0]?.id ?? "")).toMatchObject({ state: "undeliverable" });
    },
  );

  it.each([
    ["throws", () => Promise.reject(new Error("a broken plugin"))],
    ["never answers", () => new Promise<never>(() => undefined)],
  ])("that %s changes nothing, and the next tap is asked", async (_what, tap) => {
    const desk = await openDesk();
    desk.gateway.hooks.subagent_delivery_target.tapPromise("bad", tap);
    await desk.says("/spawn --label w work");
    await desk.later(10_000);
    expect(desk.heard()).toEqual([expect.any(String), expect.stringContaining("the result")]);
    desk.gateway.hooks.subagent_delivery_target.tap({ name: "good", stage: 1 }, () => LODGE);
    await desk.says("/spawn --label w work");
    await desk.later(10_000);
    expect(desk.heardAt(LODGE)).toEqual([expect.stringContaining("the result")]);
  });
});
