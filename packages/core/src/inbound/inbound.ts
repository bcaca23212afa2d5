/**
 * The way in: decide each message of a batch, store the batch (T0, fused with T2 where a lane is idle), then let turns
 * and commands begin. The platform is acknowledged when `receive` has resolved, so nothing here can be lost after it.
 */
import type { InboundMessage, ReceiveOutcome } from "@banyan/plugin-sdk";
import type {
  ItemRow,
  NewItem,
  NewPairing,
  ReceivedItem,
  ReceivedResult,
  ReceiveStep,
  StepResult,
} from "@banyan/plugin-sdk/store";
import type { AccessPolicy } from "../access/decide-access.ts";
import type { RoutePicture, RouteState } from "../access/route-state.ts";
import { formatInnerBody } from "../lanes/item-body.ts";
import type { LaneScheduler } from "../lanes/lane-scheduler.ts";
import { commitUntilKnown } from "../ports/commit-step.ts";
import type { Ports } from "../ports/ports.ts";
import { buildItemRow, buildReceivedItems, formatWriter, type ReceivedParts } from "./build-received.ts";
import { CommandLanes } from "./command-lanes.ts";
import type { CommandParts } from "./command-parts.ts";
import { decideInbound, type InboundDecision, type InboundRules } from "./decide-inbound.ts";
import { freeDeadBindings } from "./free-dead-binding.ts";
import { createGroupWatch, type GroupWatch } from "./group-watch.ts";
import { createLateWatch, type LateWatch } from "./late-watch.ts";
import { isAnswer, placeMessages } from "./place-message.ts";
import { mayWait } from "./read-command-context.ts";
import { refuseForeignAddress } from "./refuse-foreign-address.ts";
import type { RouteTable } from "./route-message.ts";
import { scrubMessage } from "./scrub-message.ts";
import { settleCommand } from "./settle-command.ts";
import { createSteadyTime } from "./steady-time.ts";
import { tellNewSession } from "./tell-new-session.ts";

/** No address: the order came from no chat, and its answer goes to none. */
const NO_ADDRESS = "";
/** The sender of an order that a program gave through the API. */
const API_SENDER_ID = "api";

const PAGE_COMMANDS = 200;
/** Below the lane cap by far, so an idle lane cannot be full within one batch. */
const MOST_WITHOUT_NOTICE = 100;
/** Commands of one lane in memory: more than anybody types while one runs, few enough that a flood stays a small one. */
const MOST_COMMANDS = 100;
/** Operators and links change rarely, threads come with each spawn; more often than this something is wrong. */
const MOST_STALE_DECISIONS = 20;

export interface InboundParts extends CommandParts {
  readonly lanes: LaneScheduler;
  readonly routes: RouteTable;
  readonly routeState: RouteState;
  /** Names of the commands whose text goes on as a message. */
  readonly commandsWithMessage: ReadonlySet<string>;
  /** A stranger was given a code. */
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
  /** One for all tries: a claim that was written unseen is answered to the try that follows. */
  readonly claimId: string;
  /** A commit whose end was unknown: what the store calls duplicates may be this batch itself. */
  isRepeated: boolean;
}

export class Inbound {
  readonly #parts: InboundParts;
  readonly #commands: CommandLanes;
  readonly #late: LateWatch;
  readonly #steadyNow: () => number;
  readonly #groups: GroupWatch;
  #freeing: Promise<unknown> = Promise.resolve();

  constructor(parts: InboundParts) {
    this.#parts = parts;
    this.#steadyNow = createSteadyTime(parts.ports.clock);
    this.#late = createLateWatch(parts.ports.log);
    this.#groups = createGroupWatch(parts.ports.log);
    this.#commands = new CommandLanes({
      settle: (item) => settleCommand(item, parts),
      isPassed: (item) => mayWait(item, parts),
      log: parts.ports.log,
    });
  }

  /** Takes one batch in; `platformNow` is the platform's own clock. Rejects when nothing was stored. */
  async receive(
    account: InboundAccount,
    received: readonly InboundMessage[],
    cursor: string | undefined,
    platformNow?: number,
  ): Promise<readonly ReceiveOutcome[]> {
    const messages = received.map((message) => scrubMessage(message, this.#parts.ports.scrub));
    if (messages.length === 0 && cursor === undefined) return [];
    for (const { address } of messages) refuseForeignAddress(account, address);
    const claimId = this.#parts.ports.createId();
    const batch: Batch = { account, messages, cursor, platformNow, claimId, isRepeated: false };
    for (let tries = 1; tries <= MOST_STALE_DECISIONS; tries += 1) {
      const outcomes = await this.#store(batch);
      if (outcomes !== "stale_route") return outcomes;
      await this.#parts.routeState.refresh();
    }
    throw new Error(
      `A batch was received by ${account.channel}/${account.account}: who may talk where changed ${MOST_STALE_DECISIONS} times at the same time; receive it again`,
    );
  }

  /** Decides the batch by the present picture and stores it; `stale_route`: nothing was written. */
  async #store(batch: Batch): Promise<readonly ReceiveOutcome[] | "stale_route"> {
    const { account, messages, cursor } = batch;
    const { ports, owner, lanes, sessions } = this.#parts;
    const { picture } = this.#parts.routeState;
    const rules = this.#buildRules(account, picture, batch.platformNow ?? this.#steadyNow());
    const around = this.#buildAround(messages.length);
    const placed = messages.some(isAnswer) ? await placeMessages(messages, { ...this.#parts, picture }) : messages;
    const offers = placed.flatMap((message, nth) => {
      const built = buildReceivedItems(message, this.#decide(message, rules), around, messages[nth]?.address);
      return built.map((offer, at) => ({ ...offer, at }));
    });
    const items = offers.map(({ item }) => item);
    const mayClaim = lanes.hasRoom && !items.some(({ lane }) => lanes.isResting(lane));
    enterStep(ports, messages);
    const step: ReceiveStep = {
      step: "receive",
      account: { channel: account.channel, account: account.account },
      items,
      routeRevision: picture.revision,
      ...(cursor === undefined ? {} : { cursor }),
      ...(mayClaim ? { claim: { owner, claimId: batch.claimId } } : {}),
    };
    const stored = await this.#commit(step, () => {
      batch.isRepeated = true;
    });
    leaveStep(ports, messages);
    if (stored.status === "refused" && stored.reason === "stale_route") return "stale_route";
    if (stored.status === "refused") {
      // A cached session is not in the store: the cache was wrong about it, so it is asked again.
      for (const item of items) sessions.forget(item.lane);
      const addresses = items.map(({ address }) => address);
      if (stored.reason === "no_session" && (await this.#freeBindings(addresses, picture.revision)))
        return "stale_route";
      throw new Error(`A batch was received: the store refused it (${stored.reason}); receive it again`);
    }
    const ended = offers.map((offer, at) => ({ ...offer, result: stored.items[at] }));
    for (const { message, item, result } of ended) if (result !== undefined) this.#begin(message, item, result);
    const isListed = account.access.groups.policy === "allowlist";
    for (const { message, item } of ended) if (isListed && item.refused === "group") this.#groups.see(message);
    for (const { message, item, result } of ended) {
      if (result === undefined) continue;
      const isTooOld = item.refused === "too_old";
      this.#late.see({ at: message.at, seq: result.seq, isTooOld }, ports.clock.now());
    }
    // A repeated step calls what it stored duplicates: what waits of it is looked for.
    if (batch.isRepeated) {
      for (const { lane } of items) if (lane !== "") lanes.wake(lane);
      await this.resume();
    }
    return ended.flatMap(({ at, result }) => (at === 0 && result !== undefined ? [result.outcome] : []));
  }

  /** Takes up the commands that an earlier process left. Called before lanes resume. */
  async resume(): Promise<void> {
    for (let afterSeq = 0; ; ) {
      const page: readonly ItemRow[] = await this.#parts.store.read.waitingCommands({ afterSeq, limit: PAGE_COMMANDS });
      for (const item of page) {
        afterSeq = item.seq;
        void this.#commands.run(item);
      }
      if (page.length < PAGE_COMMANDS) return;
    }
  }

  /** Ends the session's conversation, as `/new` does. Resolves when it is done; `false` if there is no such session. */
  async reset(sessionKey: string): Promise<boolean> {
    const item = await storeReset(sessionKey, this.#parts);
    if (item !== undefined) await this.#commands.run(item);
    return item !== undefined;
  }

  /** Lanes with a command under way. */
  get busyLanes(): number {
    return this.#commands.size;
  }

  /** Resolves when no command is under way. */
  close(): Promise<void> {
    return this.#commands.settled();
  }

  #buildRules({ access }: InboundAccount, picture: RoutePicture, now: number): InboundRules {
    const { routes, commandNames: commands, commandsWithMessage } = this.#parts;
    return { access, routes, picture, commands, commandsWithMessage, now };
  }

  #buildAround(count: number): ReceivedParts {
    const { ports, lanes, ...parts } = this.#parts;
    const offered = new Map<string, number>();
    return {
      ...parts,
      takeCommand: (lane) => {
        const known = offered.get(lane) ?? this.#commands.count(lane);
        offered.set(lane, known + 1);
        return known < MOST_COMMANDS;
      },
      // Many messages at once can fill an idle lane, too.
      isBusy: (lane, laneCap) => count > Math.min(MOST_WITHOUT_NOTICE, laneCap) || lanes.has(lane),
      createId: ports.createId,
      randomBytes: ports.randomBytes,
      createUuid: ports.createUuid,
      now: ports.clock.now(),
    };
  }

  /** One message that cannot be judged must not keep all behind it from being heard. */
  #decide(message: InboundMessage, rules: InboundRules): InboundDecision {
    try {
      return decideInbound(message, rules);
    } catch (error) {
      this.#parts.ports.log.error(
        { err: error, address: message.address, message: message.id },
        "a message was refused",
      );
      return { status: "refused", reason: "failed" };
    }
  }

  /** One after the other, each by a picture of its own: what one has freed may be bound again, and is not freed twice. */
  #freeBindings(addresses: readonly string[], revision: number): Promise<boolean> {
    const freed = this.#freeing.then(() => freeDeadBindings(addresses, revision, this.#parts));
    this.#freeing = freed.catch(() => undefined);
    return freed;
  }

  /** Until its end is known: a claim that was written unseen would be run by nobody. What cannot be taken is told. */
  async #commit(step: ReceiveStep, onRepeat: () => void): Promise<StepResult<ReceiveStep>> {
    const { store, ports, signal } = this.#parts;
    try {
      return await commitUntilKnown(store, step, ports, signal, onRepeat);
    } catch (error) {
      ports.log.error({ err: error, ...step.account, messages: step.items.length }, "messages were not taken in");
      throw error;
    }
  }

  /** Lets the stored message have its effect. */
  #begin(message: InboundMessage, item: ReceivedItem, result: ReceivedResult): void {
    const { lanes, outbox, sessions, hooks } = this.#parts;
    const written = new Set(result.deliveries);
    const offered = [...(item.deliveries ?? []), ...(item.ifFull === undefined ? [] : [item.ifFull])];
    if (written.size > 0) outbox.enqueue(offered.filter(({ id }) => written.has(id)));
    // A claim is answered again when the step was repeated: its lane is ours, whatever else the answer says.
    if (result.claim !== undefined) {
      const isNew = result.outcome === "stored" && result.claim.item.seq === result.seq;
      lanes.begin({ ...result.claim, isNew });
    }
    if (result.isPairingNew && item.pairing !== undefined) this.#parts.onPairing?.(item.pairing);
    if (result.outcome !== "stored" || item.refused !== undefined) return;
    const kind = item.kind === "command" ? "command" : "message";
    if (item.session !== undefined) void tellNewSession(item.session, result, this.#parts);
    void hooks.message_received.call({ sessionKey: item.lane, kind, message });
    if (kind === "command") void this.#commands.run(buildItemRow(item, result.seq, this.#parts.ports.clock.now()));
    if (result.claim === undefined && kind === "message") lanes.wake(item.lane);
    if (item.writer !== undefined) sessions.addWriter(item.lane, formatWriter(item.writer));
  }
}

/** A cursor without messages is written at other times than these, so it has points of its own. */
function enterStep({ faultPoint }: Ports, { length }: readonly InboundMessage[]): void {
  if (length === 0) faultPoint("cursor.before");
  else {
    faultPoint("inbound.parsed");
    faultPoint("T0.before");
  }
}

function leaveStep({ faultPoint }: Ports, { length }: readonly InboundMessage[]): void {
  if (length === 0) faultPoint("cursor.after");
  else faultPoint("T0.after");
}

/**
 * Stores the order to end a conversation in the session's lane, after the commands that wait there. From then on this
 * process or the next one carries it out. `undefined` if there is no such session.
 */
async function storeReset(
  sessionKey: string,
  { store, ports, signal }: Pick<CommandParts, "store" | "ports" | "signal">,
): Promise<ItemRow | undefined> {
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
