import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type Clock,
  formatAddress,
  type Log,
  type PermissionRequest,
  type PermissionVerdict,
  type ToolCallEvent,
  type ToolRefusal,
  type ToolResult,
} from "@banyan/plugin-sdk";
import type { NewAudit } from "@banyan/store";
import { type CallableHooks, createLifecycleHooks } from "../../src/hooks/lifecycle-hooks.ts";
import { createToolCaller } from "../../src/tools/call.ts";
import { createCallCounter } from "../../src/tools/checks/call-record.ts";
import { createCheckChain } from "../../src/tools/checks/chain.ts";
import { createListFilesTool } from "../../src/tools/files/list-files.ts";
import { createReadFileTool } from "../../src/tools/files/read-file.ts";
import { DEFAULT_TOOL_LIMITS } from "../../src/tools/limits.ts";
import { createToolRegistry } from "../../src/tools/registry.ts";
import type { Tool, ToolCheck, ToolScope } from "../../src/tools/tool.ts";

/** A text that no one may read. */
export const SECRET = "canary-of-the-grove";

export class LaneLost extends Error {}

/** A workspace in a temporary directory, next to what is outside of it, and a caller of tools with a separate clock. */
export class ToolDesk {
  readonly outsideDir: string = realpathSync(mkdtempSync(join(tmpdir(), "banyan-tools-")));
  readonly workspaceDir: string = join(this.outsideDir, "workspace");
  readonly logged: string[] = [];
  readonly afterSaw: ToolResult[] = [];
  readonly timers: Set<{ readonly delayMs: number; readonly callback: () => void }> = new Set();
  scope: ToolScope = {
    policies: [],
    workspaceDir: this.workspaceDir,
    blockedPaths: [],
    openPaths: [],
    listReadOnlyPaths: () => [],
    boundaries: [],
    caller: {
      itemSeq: 1,
      epoch: 1,
      address: formatAddress({ channel: "irc", account: "default", kind: "dm", chat: "ada" }),
      isQuiet: false,
      sessionId: "s-1",
      policies: [],
    },
    limits: DEFAULT_TOOL_LIMITS,
    signal: new AbortController().signal,
    ask: async (request) => {
      this.asked.push(request);
      return this.verdict;
    },
    record: (audit) => void this.audited.push(audit),
    begin: async () => void this.begun.push(this.asked.length),
  };
  readonly audited: NewAudit[] = [];
  readonly asked: PermissionRequest[] = [];
  readonly begun: number[] = [];
  verdict: PermissionVerdict = { kind: "denied", why: "nobody" };
  before: (event: ToolCallEvent) => Promise<ToolRefusal | undefined> = async () => undefined;
  after: (result: ToolResult) => Promise<ToolResult | undefined> = async () => undefined;
  readonly scrub = (text: string): string => text.replaceAll(SECRET, "[secret]");
  tools: readonly Tool[] = [createListFilesTool(), createReadFileTool({ scrub: this.scrub })];

  readonly #clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    schedule: (delayMs, callback) => {
      const timer = { delayMs, callback };
      this.timers.add(timer);
      return () => void this.timers.delete(timer);
    },
  };

  readonly #log: Log = {
    debug: (_fields, message) => void this.logged.push(message),
    info: (_fields, message) => void this.logged.push(message),
    warn: (_fields, message) => void this.logged.push(message),
    error: (_fields, message) => void this.logged.push(message),
  };

  readonly hooks: CallableHooks = createLifecycleHooks({ clock: this.#clock, log: this.#log });
  readonly counter: ReturnType<typeof createCallCounter> = createCallCounter();
  readonly listChecks: () => readonly ToolCheck[] = createCheckChain({
    log: this.#log,
    scrub: this.scrub,
    hooks: this.hooks,
    more: [this.counter.check],
  });

  constructor() {
    this.hooks.before_tool_call.tapPromise("desk", (event) => this.before(event));
    this.hooks.after_tool_call.tapPromise("desk", ({ result }) => {
      this.afterSaw.push(result);
      return this.after(result);
    });
    mkdirSync(this.workspaceDir);
  }

  /** Writes a file below the directory that holds the workspace. */
  write(path: string, content: string | Buffer): void {
    const absolute = join(this.outsideDir, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
  }

  call(name: string, args: unknown = {}, ordinal = 0): Promise<ToolResult> {
    const callTool = createToolCaller({
      registry: createToolRegistry(this.tools),
      clock: this.#clock,
      log: this.#log,
      scrub: this.scrub,
      listChecks: this.listChecks,
      isLaneLost: (thrown) => thrown instanceof LaneLost,
    });
    const call = { ordinal, name, args };
    return callTool({ sessionKey: "agent:main:main", agentId: "main", turnId: "turn-1", call }, this.scope);
  }

  /** Lets the time of everything that waits be over. */
  timeOut(): void {
    for (const { callback } of [...this.timers]) callback();
  }

  remove(): void {
    rmSync(this.outsideDir, { recursive: true, force: true });
  }
}
