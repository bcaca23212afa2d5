import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runBanyan } from "../bin/banyan-process.ts";

interface Found {
  readonly subject: string;
  readonly level: string;
  readonly text: string;
  readonly cure?: string;
}

interface Report {
  readonly ok: boolean;
  readonly findings: readonly Found[];
  readonly orphaned: readonly { key: string; target?: string }[];
}

/** Runs `banyan doctor` in a folder and answers what it found. */
export async function examine(
  folder: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; report: Report; level: (subject: string) => readonly Found[] }> {
  const { code, stdout, stderr } = await runBanyan(folder, ["doctor", "--json"], { env });
  expect(stderr).toBe("");
  const report: Report = JSON.parse(stdout);
  const level = (subject: string) => report.findings.filter((one) => one.subject === subject);
  return { code, report, level };
}

export function writeConfig(folder: string, config: object): void {
  writeFileSync(join(folder, "banyan.config.json"), JSON.stringify(config));
}
