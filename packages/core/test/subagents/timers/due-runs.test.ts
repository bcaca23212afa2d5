import { describe, expect, it } from "vitest";
import { faultAt } from "../../turns/desk-fault.ts";
import { aborted } from "../../turns/played-runtime.ts";
import { MINUTE_MS, openDesk, timersOf } from "./due-desk.ts";

describe("a sub-agent that takes too long", () => {
  it("ends with what it has said, and is told of", async () => {
    const desk = await openDesk({ runTimeoutSeconds: 30 });
    desk.plays(/^work/, async ({ call, signal }) => {
      await call("sessions_spawn", { task: "part", label: "p" });
      await call("sessions_spawn", { task: "hang", label: "h" });
      return signal.aborted ? "" : "so far: half";
    });
    desk.plays(/“p”/, async ({ signal }) => {
      await aborted(signal);
      return "";
    });
    desk.plays(/^hang/, async ({ signal }) => {
      await aborted(signal);
      return "";
    });
    desk.plays(/“w”/, ({ text }) => `told: ${/ran out of time|timeout/.test(text)}`);
    await desk.says("go");
    await desk.later(29_000);
    expect(desk.heard()).toEqual(["asked"]);
    await desk.later(1_000);
    expect(desk.heard()).toHaveLength(2);
    const [run, ...below] = await desk.runs();
    expect(run).toMatchObject({ state: "ended", endedReason: "timeout", settledBy: "parent" });
    expect(JSON.parse(run?.result ?? "")).toMatchObject({
      outcome: "timeout",
      error: "It took longer than 30 s.",
      result: "so far: half",
    });
    expect(below.map(({ state }) => state)).toEqual(["ended", "ended"]);
    expect((await desk.store.read.lane(run?.childSessionKey ?? "")).active).toEqual([]);
    expect(await timersOf(desk)).not.toContain("timeout");
  });

  it("is told of once where the store does not say at once that it is written", async () => {
    const desk = await openDesk({ runTimeoutSeconds: 30, announce: "direct" }, { fault: faultAt("end_runs", "after") });
    desk.plays(/^work/, async ({ signal }) => {
      await aborted(signal);
      return "";
    });
    await desk.says("go");
    await desk.later(30_000);
    expect(desk.heard()).toEqual(["asked", expect.stringMatching(/^⏱ \*\*w\*\* · ran out of time/)]);
    expect(await desk.lines()).toContain("completion: timeout ");
  });

  it("that came to its end in time is left alone", async () => {
    const desk = await openDesk({ runTimeoutSeconds: 30 });
    await desk.says("go");
    await desk.later(MINUTE_MS);
    expect((await desk.runs())[0]?.endedReason).toBe("complete");
    expect(await timersOf(desk)).not.toContain("timeout");
  });

  it("is given its time where the machine's clock jumps", async () => {
    const desk = await openDesk({ runTimeoutSeconds: 300 });
    desk.plays(/^work/, async ({ signal }) => {
      await aborted(signal);
      return "";
    });
    await desk.says("go");
    desk.ports.clock.jump(3_600_000);
    await desk.later(59_999);
    desk.ports.clock.jump(-3_600_000);
    await desk.later(200_000);
    expect((await desk.runs())[0]?.state).toBe("running");
    await desk.later(100_000);
    expect((await desk.runs())[0]?.endedReason).toBe("timeout");
  });
});

describe("a requester that does not answer", () => {
  it("is spoken for after ten minutes, and what it says later is an answer of its own", async () => {
    const desk = await openDesk({});
    const late = Promise.withResolvers<string>();
    desk.plays(/^work/, () => "the result");
    desk.plays(/“w”/, () => late.promise);
    await desk.says("go");
    await desk.later(10 * MINUTE_MS - 1);
    expect(desk.heard()).toEqual(["asked"]);
    await desk.later(1);
    expect(desk.heard()).toEqual(["asked", expect.stringMatching(/^✅ \*\*w\*\* · done in .*\n\nthe result$/s)]);
    expect((await desk.runs())[0]?.settledBy).toBe("host");
    late.resolve("at last");
    await desk.rest();
    expect(desk.sent.map(({ kind }) => kind)).toEqual(["reply", "completion", "reply"]);
    expect(desk.heard().at(-1)).toBe("at last");
    expect(await timersOf(desk)).toEqual(["archive"]);
  });

  it("is spoken for once where the store does not say at once that it is written", async () => {
    const desk = await openDesk({}, { fault: faultAt("announce_run", "after") });
    desk.plays(/“w”/, async ({ signal }) => {
      await aborted(signal);
      return "";
    });
    await desk.says("go");
    await desk.later(11 * MINUTE_MS);
    expect(desk.heard()).toEqual(["asked", expect.stringMatching(/^✅ \*\*w\*\*/)]);
  });
});
