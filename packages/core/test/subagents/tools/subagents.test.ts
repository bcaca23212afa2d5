import { describe, expect, it } from "vitest";
import { readControlScope } from "../../../src/subagents/visibility/read-control-scope.ts";
import { TreeDesk } from "../tree-desk.ts";
import { ADA, ask, createGate, readTold, spawn, type Told } from "./tool-desk.ts";

const direct = (desk: TreeDesk, args: object, from?: string) => ask(desk, "subagents", args, from);

describe("subagents list, info and log", () => {
  it("shows what is below the caller and nobody else's", async () => {
    const desk = await new TreeDesk().start();
    const gate = createGate();
    const done = await spawn(desk, "docs");
    await desk.ports.clock.advance(65_000);
    const slow = await spawn(desk, "slow", gate.player);
    expect(await direct(desk, { action: "list" })).toEqual({
      status: "ok",
      isError: false,
      runs: [
        { number: 1, runId: done.runId, label: "docs", state: "done", age: "1 min 5 s" },
        { number: 2, runId: slow.runId, label: "slow", state: "running", age: "0.0 s" },
      ],
    });
    expect((await direct(desk, { action: "list" }, "bob")).runs).toEqual([]);
  });

  it("tells of one, by its number, id, key, name or the beginning of its id", async () => {
    const desk = await new TreeDesk().start();
    const { runId, key } = await spawn(desk, "docs", () => "12 files", { taskName: "count" });
    for (const target of ["1", runId, runId.slice(0, 8), key, "count", "DOCS", "last"]) {
      expect(await direct(desk, { action: "info", target }), target).toMatchObject({
        status: "ok",
        runId,
        sessionKey: key,
        state: "done",
        mode: "run",
        requestedBy: ADA,
        taskBegins: "work as docs",
        resultBegins: "12 files",
        note: expect.stringContaining("data"),
        createdAt: expect.any(String),
        endedAt: expect.any(String),
      });
    }
  });

  it("reads the end of a transcript", async () => {
    const desk = await new TreeDesk().start();
    const { key } = await spawn(desk, "docs");
    const { entries, sessionKey } = await direct(desk, { action: "log", target: "docs" });
    expect(sessionKey).toBe(key);
    expect(entries?.map(({ text }) => text)).toEqual(["work as docs", "docs done"]);
  });

  it("says what there is where nothing is called so", async () => {
    const desk = await new TreeDesk().start();
    const { runId } = await spawn(desk, "docs");
    const missing = await direct(desk, { action: "info", target: "tests" });
    expect(missing).toMatchObject({ status: "error", isError: true });
    expect(missing.error).toContain(`docs (${runId.slice(0, 8)})`);
    expect((await direct(desk, { action: "info" })).error).toContain("no target");
    expect((await direct(desk, { action: "info", target: "all" })).error).toContain("none is called so");
    expect((await direct(desk, { action: "kill", target: runId }, "bob")).error).toContain("there is none yet");
    expect((await direct(desk, { action: "stop" })).error).toMatch(/subagents failed \(invalid\): action/);
  });
});

describe("subagents steer and send", () => {
  it("tells one at work something; its result is the answer to both", async () => {
    const desk = await new TreeDesk().start();
    const gate = createGate();
    const { key } = await spawn(desk, "docs", gate.player);
    desk.plays(/^only markdown/, () => "5 markdown files");
    desk.plays(/“docs”/, ({ input }) => `result: ${input.input[0]?.completion?.result}`);
    expect(await direct(desk, { action: "steer", target: "docs", text: "only markdown" })).toMatchObject({
      status: "sent",
    });
    gate.open("12 files");
    await desk.rest();
    expect(desk.heard().at(-1)).toBe("result: 5 markdown files");
    expect(await desk.lines(key)).toEqual([
      "user: work as docs",
      "assistant: 12 files",
      "user: only markdown",
      "assistant: 5 markdown files",
    ]);
    expect(await desk.runs()).toHaveLength(1);
    const late = await direct(desk, { action: "steer", target: "docs", text: "and html" });
    expect(late).toMatchObject({ status: "error", error: expect.stringContaining("action send") });
  });

  it("gives more to do, and waits only when told so", async () => {
    const desk = await new TreeDesk().start();
    await spawn(desk, "docs");
    desk.plays(/^and html/, () => "2 html files");
    const told = await direct(desk, { action: "send", target: "docs", text: "and html" });
    expect(told).toMatchObject({ status: "sent", runId: expect.any(String) });
    expect(await direct(desk, { action: "send", target: "docs", text: "and html", timeoutSeconds: 5 })).toMatchObject({
      status: "replied",
      reply: "2 html files",
    });
    expect((await direct(desk, { action: "send", target: "docs" })).error).toContain("no text");
    expect((await desk.runs()).map(({ childSessionKey }) => childSessionKey)).toHaveLength(3);
  });
});

describe("subagents wait", () => {
  async function waiting(args: object) {
    const desk = await new TreeDesk().start();
    const gates = [createGate(), createGate()];
    for (const [at, { player }] of gates.entries()) await spawn(desk, `slow ${at}`, player);
    const told: Told[] = [];
    desk.plays(/^wait now/, async ({ call }) => {
      told.push(readTold(await call("subagents", { action: "wait", ...args })));
      return "waited";
    });
    const timersBefore = desk.ports.clock.waiting;
    await desk.says("wait now");
    return { desk, gates, told, timersBefore };
  }

  it("lasts until all have ended, and tells states only", async () => {
    const { desk, gates, told } = await waiting({});
    gates[0]?.open("secret result");
    await desk.rest();
    expect(told).toEqual([]);
    gates[1]?.open("secret result");
    await desk.rest();
    expect(told).toMatchObject([{ status: "ended", runs: [{ state: "done" }, { state: "done" }] }]);
    expect(JSON.stringify(told)).not.toContain("secret");
  });

  it("may mean one of them", async () => {
    const { desk, gates, told } = await waiting({ target: "slow 1" });
    gates[1]?.open();
    await desk.rest();
    expect(told).toMatchObject([{ status: "ended", runs: [{ number: 2, state: "done" }] }]);
    gates[0]?.open();
    await desk.rest();
  });

  it("ends after 60 s, or when it is told to", async () => {
    for (const [args, seconds] of [
      [{}, 60],
      [{ timeoutSeconds: 7 }, 7],
    ] as const) {
      const { desk, told } = await waiting(args);
      await desk.ports.clock.advance(seconds * 1_000 - 1);
      expect(told).toEqual([]);
      await desk.ports.clock.advance(1);
      expect(told).toMatchObject([
        { status: "timeout", isError: false, runs: [{ state: "running" }, { state: "running" }] },
      ]);
    }
  });

  it("leaves nothing behind when the turn is stopped", async () => {
    const { desk, told, timersBefore } = await waiting({});
    expect(desk.ports.clock.waiting).toBeGreaterThan(timersBefore);
    await desk.says("/stop");
    await desk.rest();
    expect(told[0]?.error ?? "stopped").toContain("stopped");
    expect(desk.ports.clock.waiting).toBe(timersBefore);
  });
});

describe("a sub-agent below another one", () => {
  it("has no session tools where it may not spawn, and directs only what is below it", async () => {
    const desk = await new TreeDesk().start();
    const gate = createGate();
    const told: Told[] = [];
    await spawn(desk, "sibling", gate.player);
    desk.plays(/^leaf/, async ({ call }) => {
      for (const name of ["subagents", "sessions_send", "sessions_list", "sessions_yield", "agents_list"])
        told.push(readTold(await call(name, { action: "list" })));
      return "leaf done";
    });
    await spawn(desk, "middle", async ({ call }) => {
      told.push(readTold(await call("subagents", { action: "list" })));
      told.push(readTold(await call("subagents", { action: "kill", target: "sibling" })));
      await call("sessions_spawn", { task: "leaf", label: "leaf" });
      return "waiting";
    });
    expect(told.slice(0, 2)).toMatchObject([{ runs: [] }, { status: "error" }]);
    expect(told.slice(2).map(({ error }) => error)).toEqual(
      Array.from({ length: 5 }, () => expect.stringContaining("there is no such tool for you")),
    );
    gate.open();
    await desk.rest();
  });

  it("directs nobody where the present configuration makes it a leaf, whatever it was born as", async () => {
    const gate = createGate();
    const desk = await new TreeDesk().start();
    const { key } = await spawn(desk, "middle", gate.player);
    const agent = { runtime: "played", workspace: "/workspace", tools: { deny: [] } };
    const scope = (maxSpawnDepth: number) =>
      readControlScope(
        { sessionKey: key, agentId: "main" },
        { store: desk.store, agents: { main: { ...agent, subagents: { maxSpawnDepth } } } },
      );
    expect(await scope(2)).toBe("children");
    expect(await scope(1)).toBe("none");
    gate.open();
    await desk.rest();
  });
});
