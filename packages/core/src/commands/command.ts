/** A command of the host, such as `/stop`: what every command declares, what it may read, and what it may decide. */
import type { Address, CommandParameter, SessionEntry } from "@banyan/plugin-sdk";
import type { CommandStep, LaneRow, LinkEffect, StoreReads } from "@banyan/store";
import type { ItemBody } from "../lanes/item-body.ts";
import type { TargetAnswers } from "../runs/delivery-target.ts";
import type { PreparedEnds } from "../runs/prepare-ends.ts";
import type { RunParts } from "../runs/run-parts.ts";
import { abandonEnds, settleEnds } from "../runs/settle-ends.ts";
import type { SessionRecord } from "../sessions/session-record.ts";

/** The same on every channel. */
export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** As people type it, such as `/new [text]`. */
  readonly usage: string;
  readonly summary: string;
  /** The arguments, for platforms with typed options. */
  readonly parameters?: readonly CommandParameter[];
  /** The text after the name is also a message to the agent, stored directly after the command. */
  readonly takesMessage?: boolean;
  /** Refused outside direct chats. */
  readonly isDmOnly?: true;
  /** Replaces that refusal. `undefined`: the standard refusal. */
  decideElsewhere?(context: CommandContext): Promise<CommandDecision | undefined>;
  /** It stops the session's turn. A turn that was cut off is started again first, so that there is something to stop. */
  readonly stopsTurn?: true;
  /** It reports how many sub-agents are running. */
  readonly readsSubagents?: true;
  /** Whether a command with these arguments may wait for other work. Later commands of its lane then do not wait for it. */
  waits?(rest: string): boolean;
  /**
   * Called again whenever the session or its lane changed before the decision was stored. May read and prepare, but must
   * not change anything that `effect.abandon` does not undo.
   */
  decide(context: CommandContext): CommandDecision | Promise<CommandDecision>;
}

/** What people see of a command before they send it. */
export type CommandFace = Pick<Command, "name" | "usage" | "summary" | "isDmOnly" | "parameters">;

/** A stored command. The session that it acts on exists. */
export interface CommandOrder {
  /** Of the command's lane item: the same each time the command is decided. */
  readonly seq: number;
  /** The id of the delivery that will hold the answer. */
  readonly answerId: string;
  readonly record: SessionRecord;
  readonly lane: LaneRow;
  /** Where it was typed and is answered. `undefined`: a program ordered it through the API, and no chat gets an answer. */
  readonly address: Address | undefined;
  readonly body: ItemBody;
  /** The text after the command's name, trimmed. */
  readonly rest: string;
  /** Whether `rest` waits as the message after a command that `takesMessage`. A full lane has refused it. */
  readonly hasFollowUp: boolean;
  readonly agent: { readonly id: string; readonly runtime: string };
  readonly commands: readonly Command[];
  readonly now: number;
  readonly read: StoreReads;
  /** Unfinished runs below the session, read for a command that `readsSubagents`. */
  readonly subagents?: number;
  /** Answers of the hook `subagent_delivery_target`, kept for the next time the same command is decided. */
  readonly answers: TargetAnswers;
}

/** What a typed command may read. */
export interface CommandContext extends CommandOrder {
  readonly address: Address;
}

export function isTyped(order: CommandOrder): order is CommandContext {
  return order.address !== undefined;
}

/** What a command does, decided but not done. */
export interface CommandDecision {
  readonly answer: string;
  /** The running turn ends. What it has said so far is kept. */
  readonly stops?: boolean;
  /** A new session begins under the same key. */
  readonly resets?: boolean;
  readonly link?: LinkEffect;
  /** The new session record. Not together with `resets`. */
  readonly entry?: SessionEntry;
  readonly effect?: CommandEffect;
  /** Messages to other chats. */
  readonly notices?: readonly { readonly address: Address; readonly text: string }[];
}

/** Prepared changes that are written in the step that ends the command. Exactly one of the methods is called, once. */
export interface CommandEffect {
  readonly written: Partial<
    Pick<CommandStep, "accept" | "runs" | "bind" | "items" | "stop" | "retry" | "answer" | "prioritize">
  >;
  /** The step was written. `wakes`: other lanes that now have work; `undefined`: not known. Never rejects. */
  settle(wakes: readonly string[] | undefined): void | Promise<void>;
  /** The step was not written. Never rejects. */
  abandon(): Promise<void>;
}

/** Wraps prepared ends of runs as a command's effect. */
export function buildEndsEffect(prepared: PreparedEnds, parts: RunParts): CommandEffect {
  return {
    written: { runs: prepared.effect },
    settle: (wakes) => settleEnds(prepared, wakes, parts),
    abandon: () => abandonEnds(prepared, parts),
  };
}

/** Whether a turn runs in the lane now. */
export function isRunning({ lane }: Pick<CommandOrder, "lane">): boolean {
  return lane.active.length > 0;
}

/** Formats `1 message`, `2 messages`. */
export function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
