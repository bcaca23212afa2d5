import type { Address, CommandParameter, SessionEntry } from "@banyan/plugin-sdk";
import type { CommandStep, LaneRow, LinkEffect } from "@banyan/store";
import type { ItemBody } from "../lanes/item-body.ts";
import type { TargetAnswers } from "../runs/delivery-target.ts";
import type { SessionRecord } from "../sessions/session-record.ts";
import type { LinkFacts } from "./link-facts.ts";

/** A command to run. The session it acts on is resolved before. */
export interface CommandOrder {
  /** Of its lane item: one command, however often it is decided. */
  readonly seq: number;
  /** The delivery of its answer, should this be how it is decided. */
  readonly answerId: string;
  readonly record: SessionRecord;
  readonly lane: LaneRow;
  /** Where it was typed and is answered. `undefined`: a program ordered it through the API, and no chat is answered. */
  readonly address: Address | undefined;
  readonly body: ItemBody;
  /** What stands behind the command's name. */
  readonly rest: string;
  /** Whether `rest` waits as the message after a command that `takesMessage`. A lane that was full has not taken it. */
  readonly hasFollowUp: boolean;
  readonly agent: { readonly id: string; readonly runtime: string };
  readonly commands: readonly Command[];
  readonly now: number;
  /** Kept while the command is decided again. */
  readonly answers: TargetAnswers;
  /** Read for a command that `readsLinks`. */
  readonly links?: LinkFacts;
  /** Deliveries that are not settled, over all chats. Read for a command that `readsUndelivered`. */
  readonly undelivered?: number;
  /** Unfinished runs below the conversation. Read for a command that `readsSubagents`. */
  readonly subagents?: number;
}

/** Everything that a typed command may look at. */
export interface CommandContext extends CommandOrder {
  readonly address: Address;
}

export function isTyped(order: CommandOrder): order is CommandContext {
  return order.address !== undefined;
}

/** What a command does, decided without doing it. */
export interface CommandDecision {
  readonly answer: string;
  /** The running turn ends, what it said so far is kept. */
  readonly stops?: boolean;
  /** A new session begins under the same key. */
  readonly resets?: boolean;
  readonly link?: LinkEffect;
  /** The session's record as it is from then on; not with `resets`. */
  readonly entry?: SessionEntry;
  /** What it does to sub-agents. */
  readonly effect?: CommandEffect;
  /** What others are told of it. */
  readonly notices?: readonly { readonly address: Address; readonly text: string }[];
}

/** What stands ready to be written with a command's end. Exactly one of its methods is called, once. */
export interface CommandEffect {
  readonly written: Partial<
    Pick<CommandStep, "accept" | "runs" | "bind" | "items" | "stop" | "retry" | "answer" | "prioritize">
  >;
  /**
   * It is written. `wakes`: lanes that now have something to do, but for those of `items`; `undefined`: nobody knows. Never
   * rejects.
   */
  settle(wakes: readonly string[] | undefined): void | Promise<void>;
  /** It is not. Never rejects. */
  abandon(): Promise<void>;
}

/** One command of the host, the same on every channel. */
export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** As people type it, such as `/new [text]`. */
  readonly usage: string;
  readonly summary: string;
  /** What stands behind the name, for platforms with typed options. */
  readonly parameters?: readonly CommandParameter[];
  /** Text behind the name goes on as a message, right behind the command. */
  readonly takesMessage?: boolean;
  /** Elsewhere it is refused. */
  readonly isDmOnly?: true;
  /** Asked elsewhere of one that `isDmOnly`; `undefined` for the refusal alone. */
  decideElsewhere?(context: CommandContext): CommandDecision | undefined;
  /** It looks at who is whom. */
  readonly readsLinks?: true;
  /** It stops the conversation's turn: one that was cut off runs again before it is decided. */
  readonly stopsTurn?: true;
  /** It tells what is not delivered, which takes a look at the whole store. */
  readonly readsUndelivered?: true;
  /** It reports how many sub-agents are running. */
  readonly readsSubagents?: true;
  /** Of its text: whether it may wait for what others do. Later commands of its lane do not wait for it. */
  waits?(rest: string): boolean;
  /** May read and prepare, but changes nothing that `effect.abandon` does not take back. */
  decide(context: CommandContext): CommandDecision | Promise<CommandDecision>;
}

/** What people see of a command before they send it. */
export type CommandFace = Pick<Command, "name" | "usage" | "summary" | "isDmOnly" | "parameters">;

/** Whether a turn runs in the lane now. */
export function isRunning(context: CommandOrder): boolean {
  return context.lane.active.length > 0;
}

export function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
