/** `0.3 s`, `42 s`, `3 min 5 s`, `2 h 10 min`, `3 d 4 h`: as the host writes it. */
export function formatElapsedTime(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return join(minutes, "min", whole % 60, "s");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? join(hours, "h", minutes % 60, "min") : join(Math.floor(hours / 24), "d", hours % 24, "h");
}

function join(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`;
}
