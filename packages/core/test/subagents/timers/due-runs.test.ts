import type { TurnMessage } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { faultAt } from "../../turns/desk-fault.ts";
import { aborted, type PlayedRuntime } from "../../turns/played-runtime.ts";
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
  it("is spoken for after ten minutes, and what it says later is an answer that says so", async () => {
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
    expect(desk.heard().at(-1)).toBe("at last\n\n(Already announced above: **w**.)");
    expect(await timersOf(desk)).toEqual(["archive"]);
  });

  it.each<[string, PlayedRuntime["hear"]]>([
    ["whose turn it is", undefined],
    ["whose turn hears it", async () => "delivered"],
  ])("and wakes after that is told that it was announced, and does not repeat it (%s)", async (_name, hear) => {
    const desk = await openDesk({});
    const [story, next] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    desk.plays(/^a long story/, () => story.promise);
    desk.plays(/^another/, () => next.promise);
    const woken: TurnMessage[] = [];
    desk.plays(/“w”/, ({ input }) => {
      woken.push(...input.input);
      return input.input.every(({ completion }) => completion?.isAnnounced) ? "NO_REPLY" : "told again";
    });
    const child = Promise.withResolvers<string>();
    desk.plays(/^work/, () => child.promise);
    await desk.says("go");
    await desk.says("a long story");
    if (hear !== undefined) await desk.says("another");
    child.resolve("the result");
    await desk.later(10 * MINUTE_MS);
    expect((await desk.runs())[0]?.settledBy).toBe("host");
    if (hear !== undefined) {
      desk.runtime.hear = async (message) => {
        woken.push(message);
        return hear(message);
      };
    }
    story.resolve("the end");
    await desk.later(MINUTE_MS);
    next.resolve("the end of the other");
    await desk.later(10 * MINUTE_MS);
    expect(woken).toEqual([
      expect.objectContaining({
        completion: expect.objectContaining({ result: "the result", isAnnounced: true }),
        text: expect.stringMatching(
          /\nThe host has announced this in the chat\. Do not repeat it: answer with what is new, or with NO_REPLY alone\.$/,
        ),
      }),
    ]);
    const told = desk.sent.filter(({ text }) => /the result|told again/.test(text));
    expect(told.map(({ kind }) => kind)).toEqual(["completion"]);
    const { content = [] } = (await desk.transcript()).find(({ kind }) => kind === "completion") ?? {};
    expect(content).toEqual([expect.objectContaining({ completion: woken[0]?.completion })]);
  });

  it("and has heard the result in the turn for something else says in its answer that it was announced", async () => {
    const desk = await openDesk({});
    const [story, child] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    desk.plays(/^a long story/, () => story.promise);
    desk.plays(/^work/, () => child.promise);
    desk.runtime.hear = async () => "delivered";
    await desk.says("go");
    await desk.says("a long story");
    child.resolve("the result");
    await desk.later(10 * MINUTE_MS);
    expect((await desk.runs())[0]?.settledBy).toBe("host");
    story.resolve("the end, and the result");
    await desk.later(MINUTE_MS);
    expect(desk.heard().slice(2)).toEqual(["the end, and the result\n\n(Already announced above: **w**.)"]);
  });

  it("and has nothing to add after the announcement says nothing", async () => {
    const desk = await openDesk({});
    const late = Promise.withResolvers<string>();
    desk.plays(/“w”/, () => late.promise);
    await desk.says("go");
    await desk.later(10 * MINUTE_MS);
    late.resolve("NO_REPLY");
    await desk.later(MINUTE_MS);
    expect(desk.heard()).toEqual(["asked", expect.stringContaining("**w** · done")]);
  });

  it("and wakes in time is told of no announcement", async () => {
    const desk = await openDesk({});
    const woken: TurnMessage[] = [];
    desk.plays(/“w”/, ({ input }) => {
      woken.push(...input.input);
      return "told";
    });
    await desk.says("go");
    expect(desk.heard()).toEqual(["asked", "told"]);
    expect(JSON.stringify(woken)).not.toMatch(/announced|isAnnounced/i);
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
