/**
 * Commands that are stored and not yet ended. Those of one lane run in order, except for those that may wait for other
 * work; lanes run concurrently. A command that fails is tried again and then given up, so that its lane continues.
 */
import { isAddress } from "@banyan/plugin-sdk";
import { type ItemRow, type NewDelivery, type NewItem, StoreError } from "@banyan/store";
import { formatInnerBody, parseItemBody } from "../lanes/item-body.ts";
import { commitUntilKnown } from "../ports/commit-step.ts";
import { pause } from "../ports/pause.ts";
import { type CommandParts, runCommand } from "./command-run.ts";
import { commitCommand } from "./command-step.ts";
import { composeNotice } from "./notice.ts";

/** Long enough for a temporary fault, short enough for a person who waits. */
const RETRY_DELAYS_MS: readonly number[] = [1_000, 4_000];
/** The order came from no chat, and no chat gets its answer. */
const NO_ADDRESS = "";
/** The sender of an order that a program gave through the API. */
const API_SENDER_ID = "api";
const FAILED_LINE = "⚠ The command could not be run; send it again.";

export class CommandQueue {
  readonly #parts: CommandParts;
  /** Per lane, what the next command waits for. */
  readonly #tails = new Map<string, Promise<void>>();
  readonly #open = new Map<string, Map<number, Promise<void>>>();

  constructor(parts: CommandParts) {
    this.#parts = parts;
  }

  /**
   * Adds a stored command, unless it was added before. Resolves when it has ended or is left to the next start. Never
   * rejects.
   */
  add(item: ItemRow): Promise<void> {
    const { lane, seq } = item;
    const { commands, ports } = this.#parts;
    const open = this.#open.get(lane) ?? new Map<number, Promise<void>>();
    const known = open.get(seq);
    if (known !== undefined) return known;
    this.#open.set(lane, open);
    const before = this.#tails.get(lane) ?? Promise.resolve();
    const end = before
      .then(() => settleCommand(item, this.#parts))
      .catch((error: unknown) => ports.log.error({ err: error, lane, seq }, "a command is left to the next start"))
      .then(() => {
        open.delete(seq);
        if (this.#tails.get(lane) === end) this.#tails.delete(lane);
        if (open.size === 0 && this.#open.get(lane) === open) this.#open.delete(lane);
      });
    open.set(seq, end);
    const { command, rest } = commands.parseStored(parseItemBody(item.body).text);
    if (command.waits?.(rest) !== true) this.#tails.set(lane, end);
    return end;
  }

  /** Ends the session's conversation, as `/new` does. Resolves when it is done; `false` if there is no such session. */
  async reset(sessionKey: string): Promise<boolean> {
    const item = await storeReset(sessionKey, this.#parts);
    if (item !== undefined) await this.add(item);
    return item !== undefined;
  }

  /** The number of lanes with a command that runs or waits. */
  get lanes(): number {
    return this.#open.size;
  }

  /** The number of commands of a lane that run or wait in this process. */
  count(lane: string): number {
    return this.#open.get(lane)?.size ?? 0;
  }

  /** Resolves when no command runs or waits. */
  async settled(): Promise<void> {
    while (this.#open.size > 0) {
      await Promise.all([...this.#open.values()].flatMap((open) => [...open.values()]));
    }
  }
}

/**
 * Stores the order to end a conversation in the session's lane, after the commands that wait there. From then on this
 * process or the next one carries it out. `undefined`: there is no such session.
 */
async function storeReset(sessionKey: string, { store, ports, signal }: CommandParts): Promise<ItemRow | undefined> {
  const id = `reset|${ports.createUuid()}`;
  const at = ports.clock.now();
  const item: NewItem = {
    lane: sessionKey,
    dedupe: id,
    nativeId: id,
    kind: "command",
    address: NO_ADDRESS,
    body: formatInnerBody({ id, text: "/new", sender: { id: API_SENDER_ID }, at }),
  };
  const stored = await commitUntilKnown(store, { step: "enqueue", item }, ports, signal);
  if (!("seq" in stored)) return undefined;
  const { lane, kind, address, body } = item;
  return { lane, seq: stored.seq, kind, state: "waiting", address, attempt: 0, receivedAtMs: at, body };
}

/** Runs a command, up to three times, then gives it up. Rejects when the store has closed or the gateway stops. */
async function settleCommand(item: ItemRow, parts: CommandParts): Promise<void> {
  const { ports, wakeLanes, signal } = parts;
  const { lane, seq } = item;
  for (const retryInMs of [...RETRY_DELAYS_MS, undefined]) {
    try {
      if ((await runCommand(item, parts)) > 0) wakeLanes([lane]);
      return;
    } catch (error) {
      // A turn that the command had stopped was released and can run again.
      wakeLanes([lane]);
      if (signal.aborted || (error instanceof StoreError && error.code === "closed")) throw error;
      ports.log.error({ err: error, lane, seq, retryInMs }, "a command failed in the host");
      if (retryInMs === undefined) break;
      await pause(ports.clock, retryInMs, signal);
      if (signal.aborted) throw error;
    }
  }
  await commitCommand({ lane, seq, items: [], deliveries: composeFailure(item, parts) }, parts);
  wakeLanes([lane]);
}

/** The command must end even if its notice cannot be composed. */
function composeFailure({ lane, seq, address }: ItemRow, parts: CommandParts): readonly NewDelivery[] {
  if (!isAddress(address)) return [];
  try {
    return composeNotice({ address, text: FAILED_LINE, sessionKey: lane }, parts);
  } catch (error) {
    parts.ports.log.error({ err: error, lane, seq }, "a command was given up without a notice");
    return [];
  }
}
