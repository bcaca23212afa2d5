import { describe, expect, it } from "vitest";
import { createGate, readTold, spawn, type Told } from "./tools/tool-desk.ts";
import { type Player, TreeDesk } from "./tree-desk.ts";

const ONE_AT_ONCE = { options: { limits: { maxConcurrent: 1 } } } as const;

describe("where one sub-agent may be at work at once, a parent that waits for its own", () => {
  /** What it asks for first cannot begin: the parent has the one place. */
  async function parentThat(waits: (call: Parameters<Player>[0]["call"], child: string) => Promise<Told>) {
    const desk = await new TreeDesk(ONE_AT_ONCE).start();
    const gate = createGate();
    const told: Told[] = [];
    desk.plays(/^below/, gate.player);
    desk.plays(/^and the tests\?/, () => "3 tests");
    await spawn(desk, "top", async ({ call }) => {
      const { childSessionKey = "" } = readTold(await call("sessions_spawn", { task: "below", label: "below" }));
      told.push(await waits(call, childSessionKey));
      return "top done";
    });
    const begun = desk.turns.map(({ input }) => input[0]?.text);
    return { desk, gate, told, begun };
  }

  it("in `subagents wait` makes room for it, and goes on when it has ended", async () => {
    const { desk, gate, told, begun } = await parentThat(async (call) =>
      readTold(await call("subagents", { action: "wait" })),
    );
    expect(begun.slice(-2)).toEqual(["work as top", "below"]);
    expect(told).toEqual([]);
    gate.open("12 files");
    await desk.rest();
    expect(told).toMatchObject([{ status: "ended", runs: [{ label: "below", state: "done" }] }]);
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["complete", "complete"]);
  });

  it("in `sessions_send` makes room for it, and goes on with its reply", async () => {
    const { desk, gate, told, begun } = await parentThat(async (call, sessionKey) =>
      readTold(await call("sessions_send", { sessionKey, message: "and the tests?" })),
    );
    expect(begun.slice(-2)).toEqual(["work as top", "below"]);
    gate.open("12 files");
    await desk.rest();
    expect(told).toMatchObject([{ status: "replied", reply: "3 tests" }]);
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["complete", "complete", "complete"]);
  });

  it("and one that does not wait keeps its place until it is done", async () => {
    const gate = createGate();
    const desk = await new TreeDesk(ONE_AT_ONCE).start();
    desk.plays(/^below/, () => "below done");
    await spawn(desk, "top", async (turn) => {
      await turn.call("sessions_spawn", { task: "below", label: "below" });
      return gate.player(turn);
    });
    expect((await desk.runs()).map(({ state }) => state)).toEqual(["running", "accepted"]);
    gate.open("top done");
    await desk.rest();
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["complete", "complete"]);
  });
});
