import { isDeepStrictEqual } from "node:util";
import { createManualClock, type ManualClock } from "../../kit/manual-clock.ts";
import type { Clock } from "../../port/clock.ts";
import type { Log } from "../../port/log.ts";
import type { TranscriptEntry } from "../../session/transcript-entry.ts";
import type { AgentRuntime, RunHandle, RuntimeSession, SessionSpec, TurnInput, TurnMessage } from "../agent-runtime.ts";
import type { RunEvent } from "../run-event.ts";
import type { CommittedToolCall, ToolCall, ToolResult } from "../tool.ts";

export type TestTool = (args: unknown) => ToolResult | Promise<ToolResult>;

/** The core's side of a runtime, as small as a test needs it: it makes turns, commits tool results and reads events. */
export class TurnDesk {
  readonly clock: ManualClock = createManualClock();
  readonly logged: string[] = [];
  /** Calls whose tool really ran. */
  readonly ran: ToolCall[] = [];
  /** Calls that came after `close`. */
  readonly late: ToolCall[] = [];
  readonly committed: CommittedToolCall[] = [];
  /** What files hold, by the ids of attachments. */
  readonly files: Map<string, Uint8Array> = new Map();
  /** The ids of those that were asked for. */
  readonly filesRead: string[] = [];
  historyReads = 0;
  history: TranscriptEntry[] = [];
  #turns = 0;
  #epoch = 0;
  #isClosed = false;

  readonly log: Log = {
    debug: (_fields, message) => void this.logged.push(message),
    info: (_fields, message) => void this.logged.push(message),
    warn: (_fields, message) => void this.logged.push(message),
    error: (_fields, message) => void this.logged.push(message),
  };

  open(runtime: AgentRuntime, spec: Partial<SessionSpec> = {}, clock: Clock = this.clock): Promise<RuntimeSession> {
    return runtime.open(buildSpec(spec), { clock, log: this.log }, new AbortController().signal);
  }

  turn(input: string | readonly TurnMessage[], tools: Record<string, TestTool> = {}, attempt = 1): TurnInput {
    if (attempt === 1) this.#turns += 1;
    this.#epoch += 1;
    return {
      turnId: `turn-${this.#turns}`,
      epoch: this.#epoch,
      attempt,
      input: typeof input === "string" ? [{ kind: "message", text: input }] : input,
      committedCalls: [...this.committed],
      history: async () => {
        this.historyReads += 1;
        return this.history;
      },
      readAttachment: async ({ id }, limitBytes) => {
        this.filesRead.push(id);
        const bytes = this.files.get(id);
        return bytes !== undefined && bytes.length <= limitBytes ? bytes : undefined;
      },
      callTool: (call) => this.#callTool(call, tools),
      askPermission: async () => ({ kind: "denied", why: "nobody" }),
    };
  }

  /** The turn is over: no tool is to be called any more. */
  close(): void {
    this.#isClosed = true;
  }

  async #callTool(call: ToolCall, tools: Record<string, TestTool>): Promise<ToolResult> {
    if (this.#isClosed) this.late.push(call);
    const known = this.committed.find(({ ordinal }) => ordinal === call.ordinal);
    if (known !== undefined) {
      const isSame = known.name === call.name && isDeepStrictEqual(known.args, call.args);
      return isSame ? known.result : { text: "another call is committed under this ordinal", isError: true };
    }
    this.ran.push(call);
    const tool = tools[call.name];
    const result =
      tool === undefined ? { text: `there is no tool ${call.name}`, isError: true } : await tool(call.args);
    this.committed.push({ ...call, result });
    return result;
  }
}

export async function readAll(handle: RunHandle): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of handle.events) events.push(event);
  return events;
}

export function textOf(events: readonly RunEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.delta : "")).join("");
}

export function endOf(events: readonly RunEvent[]): RunEvent | undefined {
  return events.at(-1);
}

export function buildEntry(text: string): TranscriptEntry {
  return { id: text, seq: 1, timestamp: 0, kind: "message", role: "user", content: [{ type: "text", text }] };
}

function buildSpec(parts: Partial<SessionSpec>): SessionSpec {
  return {
    sessionKey: "agent:main:grove:dm:1",
    sessionId: "5f0c0000-0000-4000-8000-000000000001",
    agentId: "main",
    workspaceDir: "/workspace",
    tools: [],
    ...parts,
  };
}
