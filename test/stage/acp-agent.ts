import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";

const FIXTURE = new URL("../../packages/runtime-acp/test/fixture/agent.ts", import.meta.url).pathname;

export interface JournalLine {
  readonly pid: number;
  readonly [what: string]: unknown;
}

const Line: z.ZodType<JournalLine> = z.looseObject({ pid: z.number() });

/** A foreign agent as a process: the fixture of `packages/runtime-acp`, which obeys what it is told. */
export interface AcpAgent {
  /** The part of a configuration that makes it the agent `main`. */
  readonly config: { readonly agents: { readonly main: Readonly<Record<string, unknown>> } };
  /** What its processes noted, oldest first: what they were asked, each with the process that was. */
  journal(): readonly JournalLine[];
}

/** `args` say what it can do; its sessions outlive its processes. */
export function createAcpAgent(args: readonly string[] = [], acp: Readonly<Record<string, unknown>> = {}): AcpAgent {
  const folder = mkdtempSync(join(tmpdir(), "banyan-acp-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const journal = join(folder, "journal");
  const places = ["--journal", journal, "--sessions", join(folder, "sessions")];
  const agent = { command: process.execPath, args: [FIXTURE, ...places, ...args] };
  return {
    config: { agents: { main: { runtime: "acp", acp: { agent, ...acp } } } },
    journal: () =>
      existsSync(journal)
        ? readFileSync(journal, "utf8")
            .split("\n")
            // Behind the last line's end; a line that is being written is none yet.
            .slice(0, -1)
            .map((line) => Line.parse(JSON.parse(line)))
        : [],
  };
}
