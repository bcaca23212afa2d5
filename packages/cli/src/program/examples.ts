/** What stands under the help of a command: lines to copy, and what each does. */
export function formatExamples(examples: readonly (readonly [line: string, what: string])[]): string {
  const width = Math.max(...examples.map(([line]) => line.length));
  return ["", "Examples:", ...examples.map(([line, what]) => `  ${line.padEnd(width)}  ${what}`)].join("\n");
}
