import type { Completion, RunEvent, RunOutcome, TranscriptEntry, TurnMessage } from "@banyan/plugin-sdk";
import { endOf, readAll, type TestTool, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { createDemoRuntime } from "../../src/index.ts";

/** The words of files by path. */
export type FamilyFiles = Readonly<Record<string, string>>;

interface FamilyOptions {
  /** Why the next sub-agent is refused; `undefined` when it is not. Asked with the label. */
  readonly refuse?: (label: string) => string | undefined;
  /** How deep sub-agents may be started: at this depth the tool is missing. */
  readonly maxDepth?: number;
}

/** A session of the demo agent with a real transcript, and the sub-agents that it started. */
export class DemoMember {
  readonly label: string;
  readonly task: string;
  readonly runId: string;
  readonly desk: TurnDesk = new TurnDesk();
  readonly children: DemoMember[] = [];
  /** The events of the last turn. */
  events: readonly RunEvent[] = [];
  readonly #files: FamilyFiles;
  readonly #options: FamilyOptions;
  readonly #depth: number;

  constructor(files: FamilyFiles, options: FamilyOptions = {}, child = { label: "", task: "", runId: "" }, depth = 0) {
    this.#files = files;
    this.#options = options;
    this.label = child.label;
    this.task = child.task;
    this.runId = child.runId;
    this.#depth = depth;
  }

  get lastAnswer(): string {
    return textOf(this.events);
  }

  says(text: string): Promise<string> {
    return this.takes([{ kind: "message", text }]);
  }

  /** A turn on the completions of children; on several they came together. */
  hears(...completions: readonly Completion[]): Promise<string> {
    return this.takes(completions.map((completion) => ({ kind: "completion", text: "…", completion })));
  }

  /** One turn, cut off before its call of that number is stored, as often as numbers are given, and run again. */
  async takes(input: readonly TurnMessage[], cutOffAt: readonly number[] = []): Promise<string> {
    this.desk.committed.length = 0;
    this.events = [];
    for (const [index, ordinal] of [...cutOffAt, Number.POSITIVE_INFINITY].entries()) {
      const turn = this.desk.turn(input, this.#tools(), index + 1);
      const { callTool } = turn;
      const session = await this.desk.open(createDemoRuntime(), this.#spec());
      this.events = await readAll(
        session.run({
          ...turn,
          callTool: (call) => (call.ordinal === ordinal ? Promise.reject(new Error("cut off")) : callTool(call)),
        }),
      );
    }
    this.#keep(input);
    return this.lastAnswer;
  }

  /** Does its task to the end, with all that it starts itself, and tells what its run is stored with. */
  async works(): Promise<Completion> {
    await this.says(this.task);
    if (this.children.length > 0) {
      const ends: Completion[] = [];
      for (const child of this.children) ends.push(await child.works());
      await this.hears(...ends);
    }
    const end = endOf(this.events);
    const error = end?.type === "end" ? end.error?.message : undefined;
    return error === undefined
      ? this.ends("done", { result: this.lastAnswer })
      : this.ends("failed", { result: this.lastAnswer, error });
  }

  /** What the host tells of its end. */
  ends(outcome: RunOutcome, parts: Partial<Completion> = {}): Completion {
    const { runId, label, task } = this;
    const childSessionKey = `agent:main:subagent:${runId}`;
    return { runId, childSessionKey, label, task, outcome, result: "", durationMs: 300, ...parts };
  }

  #spec() {
    const names = [
      "list_files",
      "read_file",
      ...(this.#depth < (this.#options.maxDepth ?? 2) ? ["sessions_spawn"] : []),
    ];
    return {
      sessionKey: this.#depth === 0 ? "agent:main:webchat:dm:ada" : `agent:main:subagent:${this.runId}`,
      tools: names.map((name) => ({ name, description: "", parameters: {} })),
    };
  }

  #tools(): Record<string, TestTool> {
    return {
      list_files: (args) => this.#list(fieldOf(args, "dir")),
      read_file: (args) => this.#read(fieldOf(args, "path")),
      sessions_spawn: (args) => this.#spawn(fieldOf(args, "label"), fieldOf(args, "task")),
    };
  }

  #list(dir: string) {
    const paths = Object.keys(this.#files);
    const below = dir === "." ? paths : paths.filter((path) => path.startsWith(`${dir}/`));
    if (paths.includes(dir)) return { text: "it is no directory; use read_file.", isError: true };
    if (below.length === 0) return { text: "there is nothing of that name.", isError: true };
    return { text: below.map((path) => `${show(path)}\t${this.#files[path]?.length}`).join("\n"), isError: false };
  }

  #read(path: string) {
    const text = this.#files[path];
    if (text === undefined) return { text: "there is nothing of that name.", isError: true };
    if (text.includes("\0")) return { text: "it is binary; only text can be read.", isError: true };
    return { text: `[${show(path)}: bytes 0 to ${text.length} of ${text.length}]\n${text}`, isError: false };
  }

  #spawn(label: string, task: string) {
    const error = this.#options.refuse?.(label);
    if (error !== undefined) return { text: JSON.stringify({ status: "forbidden", error }), isError: true };
    const runId = `${this.runId}/${this.children.length + 1}`;
    this.children.push(new DemoMember(this.#files, this.#options, { label, task, runId }, this.#depth + 1));
    const answer = { status: "accepted", runId, childSessionKey: `agent:main:subagent:${runId}`, mode: "run" };
    return { text: JSON.stringify(answer), isError: false };
  }

  /** The transcript of a turn that was committed. */
  #keep(input: readonly TurnMessage[]): void {
    const entries: Pick<TranscriptEntry, "kind" | "role" | "content">[] = [
      ...input.map(({ text, completion }) =>
        completion === undefined
          ? ({ kind: "message", role: "user", content: [{ type: "text", text }] } as const)
          : ({ kind: "completion", role: "system", content: [{ type: "completion", completion }] } as const),
      ),
      ...this.desk.committed.flatMap(({ ordinal, name, args, result }) => [
        { kind: "tool_call", role: "assistant", content: [{ type: "tool_call", ordinal, name, args }] } as const,
        { kind: "tool_result", role: "tool", content: [{ type: "tool_result", ordinal, name, ...result }] } as const,
      ]),
      { kind: "message", role: "assistant", content: [{ type: "text", text: this.lastAnswer }] },
    ];
    const { history } = this.desk;
    for (const entry of entries) {
      const seq = history.length + 1;
      history.push({ id: `entry-${seq}`, seq, timestamp: 0, ...entry });
    }
  }
}

function fieldOf(args: unknown, name: string): string {
  const value =
    typeof args === "object" && args !== null ? new Map<string, unknown>(Object.entries(args)).get(name) : "";
  return typeof value === "string" ? value : "";
}

/** As the tools show it: a line stays a line. */
function show(path: string): string {
  return path.includes("\n") ? JSON.stringify(path) : path;
}

/** So many words. */
export function words(count: number): string {
  return Array.from({ length: count }, () => "word").join(" ");
}
