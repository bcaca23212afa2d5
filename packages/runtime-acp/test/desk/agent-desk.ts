import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type {
  AcpRecord,
  AcpSettings,
  AgentRuntime,
  Clock,
  RuntimeSession,
  SessionSpec,
  Usage,
} from "@banyan/plugin-sdk";
import { readAll, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { onTestFinished } from "vitest";
import { createAcpRuntime } from "../../src/index.ts";
import { createSystemClock } from "./system-clock.ts";

const FIXTURE = join(import.meta.dirname, "../fixture/agent.ts");
const SESSION_ID = "5f0c0000-0000-4000-8000-000000000001";

export interface DeskOptions {
  /** The clock of the desk's turns stands until it is moved. */
  readonly isManual?: boolean;
  readonly args?: readonly string[];
  readonly settings?: Partial<AcpSettings>;
  readonly env?: Readonly<Record<string, string>>;
}

/** The host's side of one conversation with the fixture agent, in folders of its own, all ended with the test. */
export class AgentDesk {
  readonly turns: TurnDesk = new TurnDesk();
  readonly clock: Clock;
  readonly folder: string;
  readonly kept: AcpRecord[] = [];
  readonly runtime: AgentRuntime;
  readonly #options: DeskOptions;

  constructor(options: DeskOptions = {}) {
    this.#options = options;
    this.clock = options.isManual === true ? this.turns.clock : createSystemClock();
    this.folder = mkdtempSync(join(tmpdir(), "banyan-acp-"));
    // What is registered first is done last: behind the end of the runtimes.
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    this.runtime = this.createRuntime();
  }

  get journal(): readonly Readonly<Record<string, unknown>>[] {
    const path = join(this.folder, "journal");
    if (!existsSync(path)) return [];
    return (
      readFileSync(path, "utf8")
        .split("\n")
        // Behind the last line's end; a line that is being written is none yet.
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    );
  }

  /** Resolves when the agent has been handed one prompt more than now. */
  async begins(): Promise<void> {
    const count = () => this.journal.filter((line) => "prompt" in line).length;
    const before = count();
    while (count() === before) await setImmediate();
  }

  /** Another one on the same folders, as after a restart of the gateway. */
  createRuntime(): AgentRuntime {
    const { args = [], settings, env = {} } = this.#options;
    const places = ["--journal", join(this.folder, "journal"), "--sessions", join(this.folder, "sessions")];
    const runtime = createAcpRuntime({
      findSettings: () => ({
        agent: { command: process.execPath, args: [FIXTURE, ...places, ...args] },
        env: [],
        profile: "ask",
        ...settings,
      }),
      env: { PATH: process.env.PATH, ...env },
      folder: join(this.folder, "work"),
      version: "0",
      random: () => 0,
    });
    onTestFinished(() => runtime.close?.());
    return runtime;
  }

  /** Of the conversation that is meant where none is named. */
  get spec(): SessionSpec {
    return {
      sessionKey: "agent:main:grove:dm:1",
      sessionId: SESSION_ID,
      agentId: "main",
      workspaceDir: this.folder,
      tools: [],
      audience: "known",
    };
  }

  open(
    spec: Partial<SessionSpec> = {},
    runtime: AgentRuntime = this.runtime,
    keepAcp: (record: AcpRecord) => Promise<void> = async (record) => void this.kept.push(record),
    signal: AbortSignal = new AbortController().signal,
  ): Promise<RuntimeSession> {
    const acp = this.kept.at(-1);
    return runtime.open(
      { ...this.spec, ...(acp === undefined ? {} : { acp }), ...spec },
      {
        clock: this.clock,
        log: this.turns.log,
        keepAcp,
      },
      signal,
    );
  }

  /** As the host does in the step that ends a turn: its cost counts, and with it up to which total. */
  count(usage: Usage | undefined): void {
    const record = this.kept.at(-1);
    if (record === undefined || usage?.spentUsd === undefined) return;
    this.kept.splice(-1, 1, { ...record, spentUsd: usage.spentUsd });
  }

  /** One turn as the host runs it: opened, run to its end, closed. Resolves with what was said and how it ended. */
  async says(
    text: string,
    spec: Partial<SessionSpec> = {},
    runtime?: AgentRuntime,
  ): Promise<{ text: string; end: string }> {
    const session = await this.open(spec, runtime);
    const events = await readAll(session.run(this.turns.turn(text)));
    await session.close();
    const end = events.at(-1);
    if (end?.type === "end") this.count(end.usage);
    return {
      text: textOf(events),
      end:
        end?.type === "end"
          ? [end.reason, end.error?.isRetryable, end.error?.message].filter((part) => part !== undefined).join(" ")
          : "none",
    };
  }
}
