const OPTIONS = `pnpm simulate [options]
  --seeds N      how many worlds (20000; with --bar 5000)
  --from S       the first seed (1)
  --seed S       this world alone
  --events N     events in each world (60)
  --threads N    (2)
  --trace        with --seed: print what happened
  --bar          5,000 worlds, held against the bar of docs/performance.md; missed, it ends with 1
  --json         one JSON document at the end instead of the lines
`;
const DEFECT = "  --defect NAME  put a known mistake in: ";
const INDENT = " ".repeat("  --defect NAME  ".length);
const WIDTH_CHARS = 120;

/** What `pnpm simulate --help` prints. `defects` are the names that `--defect` takes. */
export function formatHelp(defects: readonly string[]): string {
  const lines = [DEFECT];
  for (const [at, name] of defects.entries()) {
    const word = at === defects.length - 1 ? name : `${name}, `;
    const line = lines.at(-1) ?? "";
    if (`${line}${word}`.trimEnd().length <= WIDTH_CHARS) lines[lines.length - 1] = `${line}${word}`;
    else lines.push(`${INDENT}${word}`);
  }
  return `${OPTIONS}${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}
