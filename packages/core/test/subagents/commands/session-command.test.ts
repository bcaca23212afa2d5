import { describe, expect, it } from "vitest";
import { bindingsOf, GROVE, HOUR_MS, openFocused, openThread, THREAD, timersOf } from "./focus-desk.ts";

describe("/session", () => {
  it("shows and sets when a focus ends; its age goes on", async () => {
    const desk = await openFocused();
    const [before] = await bindingsOf(desk);
    expect(await desk.ask("/session")).toMatch(
      /^This conversation is turned to a sub-agent until no one has written for 24 h, whatever its age\.\n/,
    );
    await desk.ports.clock.advance(HOUR_MS / 2);
    expect(await desk.ask("/session idle 90m")).toBe(
      "This conversation is turned to a sub-agent until no one has written for 1 h 30 min, whatever its age.",
    );
    expect(await desk.ask("/session max-age 3h")).toContain("at most for 3 h (in 2 h 30 min).");
    expect(await bindingsOf(desk)).toEqual([{ ...before, idleMs: 1.5 * HOUR_MS, maxAgeMs: 3 * HOUR_MS }]);
    expect((await timersOf(desk)).map((line) => line.replace(/\|.* (?=\S+ h)/, " "))).toEqual([
      "binding-idle 1.5 h",
      "binding-age 2.5 h",
    ]);
    expect(await desk.ask("/session IDLE off")).toContain("however long no one writes, at most for 3 h");
    expect(await desk.ask("/session max-age off")).toContain("whatever its age");
    expect(await timersOf(desk)).toEqual([]);
    expect(await bindingsOf(desk)).toEqual([expect.not.objectContaining({ idleMs: expect.anything() })]);
  });

  it("says what it takes, and changes nothing by anything else", async () => {
    const desk = await openFocused();
    const before = await bindingsOf(desk);
    for (const line of ["idle", "max-age", "", "dance 2h"])
      expect(await desk.ask(`/session ${line}`)).toContain("a time is 90s");
    for (const line of ["idle tomorrow", "idle -2h", "idle 1s", "max-age 999d", "idle 2h; rm"])
      expect(await desk.ask(`/session ${line}`)).toContain("Write 90s, 15m, 2h or 3d, or off.");
    expect(await bindingsOf(desk)).toEqual(before);
  });

  it("is a thread's as well, and nobody else's", async () => {
    const desk = await openThread();
    await desk.saysAt(THREAD, "/session idle 2d");
    expect(desk.heardAt(THREAD).at(-1)).toBe(
      "This thread belongs to its sub-agent until no one has written for 2 d, whatever its age.",
    );
    await desk.saysAt(GROVE, "/session idle 1h");
    expect(desk.heardAt(GROVE).at(-1)).toMatch(/never expires/);
    expect(await bindingsOf(desk)).toMatchObject([{ address: THREAD, idleMs: 48 * HOUR_MS }]);
  });
});
