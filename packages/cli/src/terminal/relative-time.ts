const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ["d", 24 * 60 * 60_000],
  ["h", 60 * 60_000],
  ["min", 60_000],
  ["s", 1_000],
];

/** `12 s`, `5 min`, `3 d`: the largest unit only. */
function formatSpan(ms: number): string {
  const [name, unitMs] = UNITS.find(([, each]) => ms >= each) ?? ["s", 1_000];
  return `${Math.floor(Math.max(0, ms) / unitMs)} ${name}`;
}

/** `3 d 4 h`, `5 min 12 s`, `8 s`: two units that follow each other, for uptime. */
export function formatDuration(ms: number): string {
  const index = UNITS.findIndex(([, unitMs]) => ms >= unitMs);
  const [, largerMs] = UNITS[index] ?? ["s", 1_000];
  const [name, unitMs] = UNITS[index + 1] ?? ["s", 1_000];
  const rest = index < 0 ? 0 : Math.floor((ms % largerMs) / unitMs);
  return rest === 0 ? formatSpan(ms) : `${formatSpan(ms)} ${rest} ${name}`;
}

/** `12 s ago`, `just now`. */
export function formatAge(ms: number): string {
  return ms < 1_000 ? "just now" : `${formatSpan(ms)} ago`;
}

/** `in 8 s`, `now`: rounded up, so that it is never said too early. */
export function formatDue(ms: number): string {
  return ms <= 0 ? "now" : `in ${formatSpan(Math.ceil(ms / 1_000) * 1_000)}`;
}
