/**
 * The flow of a message from a plugin's `receive` to its session's lane:
 *   1 scrub   registered secrets are removed from what people wrote
 *   2 decide  each message: refused, or a message or a command of a session (decide.ts, with access.ts and route.ts)
 *   3 store   the whole batch in one step (T0), which also claims the first turn (T2) where a lane is idle
 *   4 begin   turns, commands (command-queue.ts), notices and hooks of what was stored
 * The plugin acknowledges the batch to the platform when `receive` resolves. From then on only the store knows it.
 */
import type { InboundMessage, ReceiveOutcome } from "@banyan/plugin-sdk";
import type { NewPairing, ReceivedItem, ReceivedResult, ReceiveStep, SessionWrite } from "@banyan/store";
import type { LaneScheduler } from "../lanes/lane-scheduler.ts";
import { commitUntilKnown } from "../ports/commit-step.ts";
import { type AccessPolicy, refuseForeignAddress } from "./access.ts";
import { CommandQueue } from "./command-queue.ts";
import type { CommandParts } from "./command-run.ts";
import { decideInbound, type InboundDecision, type InboundRules } from "./decide.ts";
import { createOperatorHints, type OperatorHints } from "./operator-hints.ts";
import {
  buildItemRow,
  buildReceivedItems,
  createLaneLoad,
  formatWriter,
  type ReceivedItemParts,
  type ReceivedOffer,
} from "./received-item.ts";
import { isReply, placeReplies } from "./reply-chain.ts";
import type { RouteTable } from "./route.ts";
import { type RouteState, type RouteView, removeDeadBindings } from "./route-state.ts";

/** Operators and links change rarely, threads with each spawn: more changes during one batch mean a fault. */
const MAX_STALE_DECISIONS = 20;
const RESUME_PAGE_ROWS = 200;

export interface InboundParts extends CommandParts, ReceivedItemParts {
  readonly lanes: LaneScheduler;
  readonly routes: RouteTable;
  readonly routeState: RouteState;
  /** Called once for each stranger who was given a pairing code. */
  readonly onPairing?: (pairing: NewPairing) => void;
}

export interface InboundAccount {
  readonly channel: string;
  readonly account: string;
  readonly access: AccessPolicy;
}

interface Batch {
  readonly account: InboundAccount;
  readonly messages: readonly InboundMessage[];
  readonly cursor: string | undefined;
  readonly platformNow: number | undefined;
  /** The same for all tries, so that a claim whose answer was lost is answered again. */
  readonly claimId: string;
  /** A commit was repeated: what the store then calls duplicates may be this batch itself. */
  isRepeated: boolean;
}

export class Inbound {
  readonly #parts: InboundParts;
  readonly #commands: CommandQueue;
  readonly #hints: OperatorHints;
  readonly #startMs: number;
  #removing: Promise<unknown> = Promise.resolve();

  constructor(parts: InboundParts) {
    const { clock, log } = parts.ports;
    this.#parts = parts;
    this.#commands = new CommandQueue(parts);
    this.#hints = createOperatorHints(log);
    this.#startMs = clock.now() - clock.monotonic();
  }

  /** Receives one batch. `platformNow`: the platform's clock. Rejects if nothing was stored: the plugin must send it again. */
  async receive(
    account: InboundAccount,
    received: readonly InboundMessage[],
    cursor: string | undefined,
    platformNow?: number,
  ): Promise<readonly ReceiveOutcome[]> {
    const { ports, routeState } = this.#parts;
    const messages = received.map((message) => scrubMessage(message, ports.scrub));
    if (messages.length === 0 && cursor === undefined) return [];
    for (const { address } of messages) refuseForeignAddress(account, address, "Receiving a batch");
    const batch = { account, messages, cursor, platformNow, claimId: ports.createId(), isRepeated: false };
    for (let tries = 1; tries <= MAX_STALE_DECISIONS; tries += 1) {
      const { view } = routeState;
      // Only replies are looked up. Without one there is no wait here, and concurrent batches are stored in their order.
      const placed = messages.some(isReply) ? await placeReplies(messages, view, this.#parts) : messages;
      const offers = this.#decide(batch, placed, view);
      const results = await this.#store(batch, offers, view.revision);
      if (results !== "stale_route") {
        const outcomes = this.#begin(batch, offers, results);
        // The answer to a repeated step calls the batch duplicates: look for everything of it that waits.
        if (batch.isRepeated) await this.#resumeBatch(offers);
        return outcomes;
      }
      await routeState.refresh();
    }
    throw new Error(
      `Receiving a batch for ${account.channel}/${account.account}: the routes changed ${MAX_STALE_DECISIONS} times while it was decided; receive it again`,
    );
  }

  /** Takes up the commands that an earlier process left. Called before the lanes resume. */
  async resume(): Promise<void> {
    for (let afterSeq = 0; ; ) {
      const page = await this.#parts.store.read.waitingCommands({ afterSeq, limit: RESUME_PAGE_ROWS });
      for (const item of page) {
        afterSeq = item.seq;
        void this.#commands.add(item);
      }
      if (page.length < RESUME_PAGE_ROWS) return;
    }
  }

  /** Ends the session's conversation, as `/new` does. Resolves when it is done; `false` if there is no such session. */
  reset(sessionKey: string): Promise<boolean> {
    return this.#commands.reset(sessionKey);
  }

  /** The number of lanes with an open command. */
  get busyLanes(): number {
    return this.#commands.lanes;
  }

  /** Resolves when no command is open. */
  close(): Promise<void> {
    return this.#commands.settled();
  }

  #decide(batch: Batch, placed: readonly InboundMessage[], view: RouteView): readonly ReceivedOffer[] {
    const { routes: table, commands, lanes, ports } = this.#parts;
    const { account, messages, platformNow } = batch;
    // Measured from the start: a wall clock that is set later must not make new messages look old.
    const now = platformNow ?? this.#startMs + ports.clock.monotonic();
    const rules: InboundRules = { access: account.access, table, view, commands, now };
    const load = createLaneLoad(messages.length, lanes, this.#commands);
    return placed.flatMap((message, nth) => {
      const source = messages[nth]?.address ?? message.address;
      return buildReceivedItems(message, this.#decideOne(message, rules), source, load, this.#parts);
    });
  }

  /** A message that cannot be decided must not block the messages after it. */
  #decideOne(message: InboundMessage, rules: InboundRules): InboundDecision {
    try {
      return decideInbound(message, rules);
    } catch (error) {
      const { address, id } = message;
      this.#parts.ports.log.error({ err: error, address, message: id }, "a message was refused");
      return { status: "refused", reason: "failed" };
    }
  }

  /** `stale_route`: nothing was stored, because the routes are not the ones at `routeRevision` any more. */
  async #store(
    batch: Batch,
    offers: readonly ReceivedOffer[],
    routeRevision: number,
  ): Promise<readonly ReceivedResult[] | "stale_route"> {
    const { ports, owner, lanes, sessions } = this.#parts;
    const { cursor, claimId } = batch;
    const { channel, account } = batch.account;
    const items = offers.map(({ item }) => item);
    const mayClaim = lanes.hasRoom && !items.some(({ lane }) => lanes.isResting(lane));
    // A cursor without messages is stored at other times, so it has separate points.
    const isCursor = batch.messages.length === 0;
    if (!isCursor) ports.faultPoint("inbound.parsed");
    if (isCursor) ports.faultPoint("cursor.before");
    else ports.faultPoint("T0.before");
    const step: ReceiveStep = {
      step: "receive",
      account: { channel, account },
      items,
      routeRevision,
      ...(cursor === undefined ? {} : { cursor }),
      ...(mayClaim ? { claim: { owner, claimId } } : {}),
    };
    const stored = await this.#commit(step, batch);
    if (isCursor) ports.faultPoint("cursor.after");
    else ports.faultPoint("T0.after");
    if (stored.status !== "refused") return stored.items;
    if (stored.reason === "stale_route") return stored.reason;
    // The cache holds a session that the store does not have: read it again next time.
    for (const { lane } of items) sessions.forget(lane);
    const addresses = items.map(({ address }) => address);
    if (stored.reason === "no_session" && (await this.#removeBindings(addresses, routeRevision))) return "stale_route";
    throw new Error(
      `Receiving a batch for ${channel}/${account}: the store refused it (${stored.reason}); receive it again`,
    );
  }

  /** One batch at a time, each with its own view, so that no binding is removed twice. */
  #removeBindings(addresses: readonly string[], revision: number): Promise<boolean> {
    const removed = this.#removing.then(() => removeDeadBindings(addresses, revision, this.#parts));
    this.#removing = removed.catch(() => undefined);
    return removed;
  }

  /** Commits until the outcome is known: no one would run a turn whose claim was written without an answer. */
  async #commit(step: ReceiveStep, batch: Batch) {
    const { store, ports, signal } = this.#parts;
    try {
      return await commitUntilKnown(store, step, ports, signal, () => {
        batch.isRepeated = true;
      });
    } catch (error) {
      ports.log.error({ err: error, ...step.account, messages: step.items.length }, "messages were not stored");
      throw error;
    }
  }

  #begin(
    batch: Batch,
    offers: readonly ReceivedOffer[],
    results: readonly ReceivedResult[],
  ): readonly ReceiveOutcome[] {
    const isListed = batch.account.access.groups.policy === "allowlist";
    const outcomes: ReceiveOutcome[] = [];
    for (const [nth, { message, item }] of offers.entries()) {
      const result = results[nth];
      if (result === undefined) continue;
      this.#beginItem(message, item, result);
      if (isListed && item.refused === "group") this.#hints.noteGroup(message);
      const isTooOld = item.refused === "too_old";
      this.#hints.noteAge({ at: message.at, seq: result.seq, isTooOld }, this.#parts.ports.clock.now());
      // The message of a command has no outcome of its own: the plugin sent one message.
      if (item.follows === undefined) outcomes.push(result.outcome);
    }
    return outcomes;
  }

  #beginItem(message: InboundMessage, item: ReceivedItem, result: ReceivedResult): void {
    const { ports, lanes, outbox, sessions, hooks, onPairing } = this.#parts;
    const written = new Set(result.deliveries);
    const offered = [...(item.deliveries ?? []), ...(item.ifFull === undefined ? [] : [item.ifFull])];
    if (written.size > 0) outbox.enqueue(offered.filter(({ id }) => written.has(id)));
    // Also for a duplicate: a repeated step answers its claim again, and the lane is ours.
    if (result.claim !== undefined) {
      const isNew = result.outcome === "stored" && result.claim.item.seq === result.seq;
      lanes.begin({ ...result.claim, isNew });
    }
    if (result.isPairingNew && item.pairing !== undefined) onPairing?.(item.pairing);
    if (result.outcome !== "stored" || item.refused !== undefined) return;
    const kind = item.kind === "command" ? "command" : "message";
    if (item.session !== undefined) void this.#startSession(item.session, result);
    void hooks.message_received.call({ sessionKey: item.lane, kind, message });
    if (kind === "command") void this.#commands.add(buildItemRow(item, result.seq, ports.clock.now()));
    if (result.claim === undefined && kind === "message") lanes.wake(item.lane);
    if (item.writer !== undefined) sessions.addWriter(item.lane, formatWriter(item.writer));
  }

  async #resumeBatch(offers: readonly ReceivedOffer[]): Promise<void> {
    for (const { item } of offers) if (item.lane !== "") this.#parts.lanes.wake(item.lane);
    await this.resume();
  }

  /** Calls `session_start` if the offered record is the one in the store: another message may have begun the session first. */
  async #startSession({ key, sessionId, agentId }: SessionWrite, { claim }: ReceivedResult): Promise<void> {
    const { store, ports, hooks } = this.#parts;
    try {
      const session = claim?.session ?? (await store.read.session(key));
      if (session?.sessionId !== sessionId) return;
      await hooks.session_start.call({ sessionKey: key, sessionId, agentId, reason: "created" });
    } catch (error) {
      ports.log.warn({ err: error, session: key }, "the hook session_start was not called for a new session");
    }
  }
}

/**
 * Removes registered secrets from what people wrote or chose: someone may paste the bot's token into its chat. Ids and
 * addresses are kept, because access and routes depend on them.
 */
function scrubMessage(message: InboundMessage, scrub: (text: string) => string): InboundMessage {
  const { sender, quote, attachments } = message;
  return {
    ...message,
    text: scrub(message.text),
    sender: sender.displayName === undefined ? sender : { ...sender, displayName: scrub(sender.displayName) },
    ...(quote?.text === undefined ? {} : { quote: { ...quote, text: scrub(quote.text) } }),
    ...(attachments === undefined
      ? {}
      : {
          attachments: attachments.map((file) =>
            file.name === undefined ? file : { ...file, name: scrub(file.name) },
          ),
        }),
  };
}
