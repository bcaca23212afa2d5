import { describe, expect, it } from "vitest";
import { openTestData } from "../open-test-store.ts";
import { createTestPorts } from "../ports/test-ports.ts";
import { ThreadAccount } from "../subagents/timers/thread-account.ts";
import { ADA, TreeDesk, type TreeDeskOptions } from "../subagents/tree-desk.ts";
import { aborted } from "../turns/played-runtime.ts";

/** Three levels: `top` asks for `middle`, that one for `leaf`, which hangs. */
async function openTree(options: TreeDeskOptions = {}): Promise<TreeDesk> {
  const desk = await new TreeDesk(options).start();
  const spawning = (task: string, label: string) =>
    desk.plays(new RegExp(`^${label} up`), async ({ call }) => {
      await call("sessions_spawn", { task, label: task.split(" ")[0] });
      return "asked";
    });
  spawning("middle up", "top");
  spawning("leaf up", "middle");
  desk.plays(/^leaf up/, async ({ signal }) => {
    await aborted(signal);
    return "";
  });
  await desk.says("top up");
  return desk;
}

const deletes = (desk: TreeDesk, key: string = ADA) => desk.gateway.operations["sessions-delete"]?.({ key });

describe("a session that is deleted", () => {
  it("takes all below it along, tells the chat, and is listed no more", async () => {
    const desk = await openTree();
    const before = await desk.store.read.session(ADA);
    const runs = await desk.runs();
    expect(runs.map(({ state }) => state)).toEqual(["waiting", "running"]);
    const deleted = deletes(desk);
    await desk.later(1_000);
    expect(await deleted).toEqual({
      key: ADA,
      sessionId: before?.sessionId,
      killed: expect.arrayContaining(runs.map(({ runId }) => runId)),
    });
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["session-delete", "killed"]);
    expect(desk.heard()).toEqual([
      "asked",
      expect.stringMatching(/^⏹ \*\*middle\*\* .*Its conversation was deleted\./s),
    ]);
    expect(await desk.store.read.sessions({ limit: 9 })).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ key: ADA })]),
    );
    const entries = await desk.store.read.entries({ sessionId: before?.sessionId ?? "", limit: 99 });
    expect(entries.filter(({ body }) => body.includes('"completion"'))).toHaveLength(1);
    expect(await desk.store.read.audit({ limit: 9 })).toMatchObject([
      { actor: "command line", action: "sessions-delete", detail: ADA },
    ]);
  });

  it("is begun anew by who writes there later", async () => {
    const desk = await openTree();
    const deleted = deletes(desk);
    await desk.later(1_000);
    await deleted;
    desk.plays(/^hello/, async ({ input }) => `I know ${(await input.history()).length} entries`);
    await desk.says("hello");
    expect(desk.heard().at(-1)).toBe("I know 0 entries");
    expect(await desk.lines()).toEqual(["user: hello", "assistant: I know 0 entries"]);
  });

  it("stops its own turn and what waits behind it", async () => {
    const desk = await new TreeDesk().start();
    desk.plays(/^long/, async ({ signal }) => {
      await aborted(signal);
      return "";
    });
    await desk.says("long 1");
    await desk.says("long 2");
    const first = await desk.store.read.session(ADA);
    const deleted = deletes(desk);
    await desk.later(5_000);
    await deleted;
    expect([(await desk.store.read.lane(ADA)).active, desk.gateway.load.turns]).toEqual([[], 0]);
    expect(desk.heard()).toEqual([]);
    const before = await desk.store.read.entries({ sessionId: first?.sessionId ?? "", limit: 9 });
    expect(before.map(({ body }) => JSON.parse(body).content[0].text)).toEqual(["long 1", "long 2"]);
  });

  it("of a child ends its run, closes its thread, and its requester is told", async () => {
    const threads = new ThreadAccount();
    const desk = await new TreeDesk({ threads }).start();
    desk.plays(/^go/, async ({ call }) => {
      await call("sessions_spawn", { task: "work", label: "w", thread: true });
      return "asked";
    });
    desk.plays(/^work/, async ({ signal }) => {
      await aborted(signal);
      return "";
    });
    await desk.says("go");
    const [run] = await desk.runs();
    const before = await desk.store.read.session(run?.childSessionKey ?? "");
    const deleted = deletes(desk, run?.childSessionKey);
    await desk.later(10_000);
    expect(await deleted).toMatchObject({ killed: [run?.runId] });
    expect(await desk.lines()).toContain("completion: killed ");
    expect(threads.done).toEqual(["open w", "rename ⏹ w", "archive ⏹ w"]);
    expect((await desk.store.read.routes()).bindings).toEqual([]);
    const after = await desk.store.read.session(run?.childSessionKey ?? "");
    expect([after?.sessionId, after?.archivedAtMs]).toEqual([before?.sessionId, expect.any(Number)]);
    await expect(deletes(desk, run?.childSessionKey)).rejects.toThrow(/there is no session/);
  });

  it("sends nothing any more of a turn that it has stopped on its last yards", async () => {
    const desk = await new TreeDesk().start();
    const gate = Promise.withResolvers<void>();
    desk.gateway.hooks.message_sending.tapPromise("slow", async () => {
      await gate.promise;
      return undefined;
    });
    await desk.says("hello");
    const deleted = deletes(desk);
    await desk.later(1_000);
    await deleted;
    gate.resolve();
    await desk.rest();
    expect(desk.heard()).toEqual([]);
    expect(await desk.store.read.deliveries({ limit: 9 })).toEqual([]);
  });

  it("is left to the process that has its lane by now", async () => {
    const [data, ports] = [openTestData(), createTestPorts()];
    const hang = (desk: TreeDesk) =>
      desk.plays(/^hang/, async ({ signal }) => {
        await aborted(signal);
        return "";
      });
    const late = await hang(new TreeDesk({ data, ports })).start();
    await late.says("hang");
    const present = await hang(new TreeDesk({ data, ports })).start();
    await present.rest();
    const lane = await present.store.read.lane(ADA);
    const deleted = expect(deletes(late)).rejects.toThrow(/does not come to rest/);
    await present.later(30_000);
    await deleted;
    expect([lane.epoch, await present.store.read.lane(ADA)]).toEqual([2, lane]);
  });

  it("of a child leaves no timer of its thread, or of a conversation that was turned to it", async () => {
    const desk = await new TreeDesk({ threads: new ThreadAccount() }).start();
    await desk.says("/spawn --thread --mode session --label w work");
    await desk.says("/focus w");
    await desk.later(500);
    const kinds = async () => (await desk.store.read.timers({ limit: 9 })).map(({ kind }) => kind);
    expect(await kinds()).toEqual(["binding-idle", "binding-idle"]);
    await deletes(desk, (await desk.runs())[0]?.childSessionKey);
    await desk.later(1_000);
    expect((await desk.store.read.routes()).bindings).toEqual([]);
    expect(await kinds()).toEqual([]);
  });

  it("that is not there is said so", async () => {
    const desk = await new TreeDesk().start();
    await expect(deletes(desk, "agent:main:irc:dm:eve")).rejects.toMatchObject({ code: "session_not_found" });
  });
});

const kills = (desk: TreeDesk, runId: string | undefined) => desk.gateway.operations["run-kill"]?.({ runId });

describe("a run that an operator stops", () => {
  it("takes all below it along; its requester and the chat are told once", async () => {
    const desk = await openTree();
    const [middle, leaf] = await desk.runs();
    expect(await kills(desk, middle?.runId)).toEqual({ runId: middle?.runId, killed: [leaf?.runId, middle?.runId] });
    await desk.rest();
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["killed", "killed"]);
    expect(desk.sent.filter(({ kind }) => kind === "completion")).toHaveLength(1);
    expect((await desk.lines()).filter((line) => line.startsWith("completion"))).toEqual(["completion: killed asked"]);
    expect(await desk.lines(middle?.childSessionKey)).toContain("completion: killed ");
    expect(await desk.store.read.audit({ limit: 9 })).toMatchObject([{ action: "run-kill", detail: middle?.runId }]);
    expect(desk.gateway.load.turns).toBe(0);
  });

  it("before it began is undone, and that is said", async () => {
    const threads = new ThreadAccount();
    const opening = Promise.withResolvers<void>();
    threads.opening = opening.promise;
    const desk = await new TreeDesk({ threads }).start();
    desk.plays(/^go/, async ({ call }) => (await call("sessions_spawn", { task: "work", thread: true })).text);
    await desk.says("go");
    const [run] = await desk.runs();
    expect(run?.state).toBe("reserved");
    expect(await kills(desk, run?.runId)).toEqual({ runId: run?.runId, killed: [run?.runId] });
    opening.resolve();
    await desk.rest();
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["spawn-failed"]);
    expect(threads.done).toEqual(["open work", "withdraw"]);
  });

  it("that is a leaf lets its parent go on", async () => {
    const desk = await openTree();
    desk.plays(/“leaf”/, ({ input }) => `leaf ${input.input[0]?.completion?.outcome}`);
    desk.plays(/“middle”/, ({ input }) => `middle: ${input.input[0]?.completion?.result}`);
    const [, leaf] = await desk.runs();
    await kills(desk, leaf?.runId);
    await desk.rest();
    expect(desk.heard()).toEqual(["asked", "middle: leaf killed"]);
  });

  it("while it comes to its end has one end, whoever wrote it", async () => {
    for (const killsFirst of [true, false]) {
      const desk = await new TreeDesk().start();
      const done = Promise.withResolvers<string>();
      desk.plays(/^go/, async ({ call }) => {
        await call("sessions_spawn", { task: "work", label: "w" });
        return "asked";
      });
      desk.plays(/^work/, () => done.promise);
      desk.plays(/“w”/, () => "told");
      await desk.says("go");
      const runId = (await desk.runs())[0]?.runId;
      if (!killsFirst) done.resolve("done");
      const killed = kills(desk, runId);
      if (killsFirst) done.resolve("done");
      await desk.later(2_000);
      await killed;
      expect((await desk.lines()).filter((line) => line.startsWith("completion"))).toHaveLength(1);
      expect(desk.sent.filter(({ kind }) => kind === "completion")).toHaveLength(1);
      expect(await desk.store.read.deliveries({ states: ["pending", "sending"], limit: 9 })).toEqual([]);
      expect((await desk.store.read.counts()).activeLanes).toBe(0);
    }
  });

  it("that has ended is left as it is, and one that is not there is said so", async () => {
    const desk = await new TreeDesk().start();
    desk.plays(/^go/, async ({ call }) => {
      await call("sessions_spawn", { task: "work" });
      return "asked";
    });
    await desk.says("go");
    const [run] = await desk.runs();
    expect(await kills(desk, run?.runId)).toEqual({ runId: run?.runId, killed: [] });
    await expect(kills(desk, "nobody")).rejects.toMatchObject({ code: "run_not_found" });
  });
});
