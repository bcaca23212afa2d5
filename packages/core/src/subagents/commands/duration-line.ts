/** A time as people type it: `90s`, `15m`, `2h`, `3d`, also `1h 30m`. */
export type ParsedDuration =
  | { readonly kind: "time"; readonly ms: number }
  | { readonly kind: "off" }
  | { readonly kind: "invalid"; readonly problem: string };

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Less is over before anybody has read the answer. */
const SHORTEST_MS = 10_000;
/** Longer is `off`. */
const LONGEST_MS = 365 * 86_400_000;
const FORM = /^(?:\d{1,9}(?:\.\d{1,3})?\s*[smhd]\s*)+$/;
const PART = /(\d+(?:\.\d+)?)\s*([smhd])/g;

export function parseDuration(text: string): ParsedDuration {
  const given = text.trim().toLowerCase();
  if (given === "off" || given === "never") return { kind: "off" };
  if (given.length > 40 || !FORM.test(given)) return invalid("That is no time.");
  const ms = [...given.matchAll(PART)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ""] ?? 0),
    0,
  );
  if (ms < SHORTEST_MS) return invalid("That is too short; 10s is the shortest.");
  if (ms > LONGEST_MS) return invalid("That is too long; 365d is the longest.");
  return { kind: "time", ms: Math.round(ms) };
}

function invalid(problem: string): ParsedDuration {
  return { kind: "invalid", problem: `${problem} Write 90s, 15m, 2h or 3d, or off.` };
}
