import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { runCommand } from "./command.ts";
import { REPOSITORY } from "./repository.ts";

const LONG = 61;
const LINES = Array.from({ length: LONG }, (_, index) => `  console.log(${index});`).join("\n");

/** Files that each break one house rule that Biome keeps for us. */
const SEEDED: readonly (readonly [rule: string, name: string, text: string])[] = [
  ["noExcessiveLinesPerFile", "long-file.ts", "export const A = 1;\n".repeat(401)],
  ["noExcessiveLinesPerFunction", "long-function.ts", `export function log(): void {\n${LINES}\n}\n`],
  ["noImportCycles", "hen.ts", 'import { egg } from "./egg.ts";\nexport const hen = (): string => egg();\n'],
  ["noImportCycles", "egg.ts", 'import { hen } from "./hen.ts";\nexport const egg = (): string => hen();\n'],
  ["noImportCycles", "north.ts", 'import type { South } from "./south.ts";\nexport type North = South | 1;\n'],
  ["noImportCycles", "south.ts", 'import type { North } from "./north.ts";\nexport type South = North | 2;\n'],
  ["noUnsafeTypeAssertion", "cast.ts", "export const cast = (value: unknown): string => value as string;\n"],
  ["noUnsafeTypeAssertion", "double-cast.ts", "export const cast = (n: number): string => n as unknown as string;\n"],
  ["noExplicitAny", "any.ts", "export const anything: any = 1;\n"],
  ["noNonNullAssertion", "non-null.ts", "export const first = (list: string[]): string => list[0]!;\n"],
  ["noTsIgnore", "ignore.ts", "// @ts-ignore because\nexport const ignored: string = 1;\n"],
  ["noEmptyBlockStatements", "empty-catch.ts", "try {\n  console.log();\n} catch {}\n"],
  ["useFilenamingConvention", "camelCase.ts", "export const NAME = 1;\n"],
  ["noFocusedTests", "only.test.ts", 'import { it } from "vitest";\nit.only("x", () => console.log());\n'],
  ["noSkippedTests", "skip.test.ts", 'import { it } from "vitest";\nit.skip("x", () => console.log());\n'],
  ["useImportType", "import-type.ts", 'import { North } from "./north.ts";\nexport type East = North;\n'],
  ["noUnusedImports", "unused.ts", 'import { readFileSync } from "node:fs";\nexport {};\n'],
];

const reportSchema = z.object({
  summary: z.object({ unchanged: z.number() }),
  diagnostics: z.array(z.object({ category: z.string(), location: z.object({ path: z.string() }) })),
});

let folder: string;
let found: readonly string[];
let checkedCount: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "banyan-lint-"));
  copyFileSync(join(REPOSITORY, "biome.json"), join(folder, "biome.json"));
  writeFileSync(join(folder, ".gitignore"), "node_modules/\n");
  writeFileSync(join(folder, "package.json"), '{ "devDependencies": { "vitest": "5.0.0" } }');
  for (const [, name, text] of SEEDED) writeFileSync(join(folder, name), text);
  const biome = join(REPOSITORY, "node_modules/.bin/biome");
  const { output } = await runCommand(biome, ["lint", "--reporter=json", "--max-diagnostics=none"], folder);
  const report = reportSchema.parse(
    JSON.parse(output.slice(output.indexOf('{"summary"'), output.lastIndexOf("}") + 1)),
  );
  checkedCount = report.summary.unchanged;
  found = report.diagnostics.map(({ category, location }) => `${category.split("/").at(-1)} ${location.path}`);
});

afterAll(() => rmSync(folder, { recursive: true }));

test("Biome looked at every seeded file", () => {
  expect(checkedCount).toBeGreaterThanOrEqual(SEEDED.length);
});

test.each(SEEDED)("Biome finds by %s what is wrong with %s", (rule, name) => {
  expect(found).toContain(`${rule} ${name}`);
});
