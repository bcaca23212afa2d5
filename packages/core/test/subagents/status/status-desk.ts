import { type Address, type ChannelError, formatAddress } from "@banyan/plugin-sdk";
import type { InlineDatabase } from "@banyan/store-sqlite/inline";
import { TreeDesk } from "../tree-desk.ts";

export const GROVE: Address = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "grove" });

export interface SeenEdit {
  readonly platformId: string;
  readonly text: string;
  /** On the monotonic clock. */
  readonly atMs: number;
}

/** A gateway whose account edits its messages, and whose sub-agents work until the test ends them. */
export class StatusDesk {
  readonly tree: TreeDesk;
  readonly edits: SeenEdit[] = [];
  /** What the platform says to the next edits. */
  refuse: () => ChannelError | undefined = () => undefined;
  /** The platform leaves edits unanswered. */
  isMute = false;
  readonly #ends = new Map<string, PromiseWithResolvers<string>>();

  constructor(data?: InlineDatabase) {
    this.tree = new TreeDesk({
      ...(data === undefined ? {} : { data }),
      edits: {
        edit: async ({ platformId, text }) => {
          const refusal = this.refuse();
          if (refusal !== undefined) throw refusal;
          this.edits.push({ platformId, text, atMs: this.tree.ports.clock.monotonic() });
          if (this.isMute) await new Promise<never>(() => undefined);
        },
      },
    });
    this.tree.plays(/^go /, async ({ text, call }) => {
      const labels = text.trim().split(" ").slice(1);
      for (const label of labels) await call("sessions_spawn", { task: `work ${label}`, label });
      return "asked";
    });
    // It works on until the test ends it, too.
    this.tree.plays(/^slow go /, async ({ text, call }) => {
      for (const label of text.trim().split(" ").slice(2))
        await call("sessions_spawn", { task: `work ${label}`, label });
      return this.#endOf("turn").promise;
    });
    this.tree.plays(/^each go /, async ({ text, call }) => {
      for (const label of text.trim().split(" ").slice(2))
        await call("sessions_spawn", { task: `work ${label}`, label, announce: "direct" });
      return "asked";
    });
    // Of what ended before the last one the requester says nothing.
    this.tree.plays(/“/, () => "NO_REPLY");
    this.tree.plays(/^work /, ({ text }) => this.#endOf(text.trim().split(" ")[1] ?? "").promise);
  }

  async start(): Promise<this> {
    await this.tree.start();
    return this;
  }

  /** The sub-agent of this label is done. */
  async ends(label: string, answer: string = `${label} is told`): Promise<void> {
    this.#endOf(label).resolve(answer);
    await this.tree.rest();
  }

  later(byMs: number): Promise<void> {
    return this.tree.later(byMs);
  }

  /** How much time lies between one edit and the next. */
  get pausesMs(): readonly number[] {
    return this.edits.slice(1).map(({ atMs }, index) => atMs - (this.edits[index]?.atMs ?? 0));
  }

  #endOf(label: string): PromiseWithResolvers<string> {
    const known = this.#ends.get(label);
    if (known !== undefined) return known;
    const end = Promise.withResolvers<string>();
    this.#ends.set(label, end);
    return end;
  }
}
