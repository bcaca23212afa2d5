import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDuration } from "../../../src/subagents/commands/duration-line.ts";

describe("parseDuration", () => {
  it.each([
    ["90s", 90_000],
    ["15m", 900_000],
    ["2h", 7_200_000],
    ["3d", 259_200_000],
    ["1.5h", 5_400_000],
    ["1h30m", 5_400_000],
    [" 1H 30M ", 5_400_000],
    ["10s", 10_000],
    ["365d", 31_536_000_000],
  ])("takes %s", (text, ms) => {
    expect(parseDuration(text)).toEqual({ kind: "time", ms });
  });

  it.each(["off", "OFF", "never"])("takes %s for none", (text) => {
    expect(parseDuration(text)).toEqual({ kind: "off" });
  });

  it.each(["", "9", "h", "2 weeks", "-1h", "1h-", "0s", "9s", "366d", "1e3s", "∞d", "1h".repeat(30), "1:30"])(
    "refuses %s, and says what it takes",
    (text) => {
      expect(parseDuration(text)).toEqual({
        kind: "invalid",
        problem: expect.stringContaining("Write 90s, 15m, 2h or 3d, or off."),
      });
    },
  );

  it("answers whatever is typed, with a whole time within its limits", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9. smhd]{0,50}$/)), (text) => {
        const parsed = parseDuration(text);
        if (parsed.kind !== "time") return true;
        return Number.isSafeInteger(parsed.ms) && parsed.ms >= 10_000 && parsed.ms <= 365 * 86_400_000;
      }),
    );
  });
});
