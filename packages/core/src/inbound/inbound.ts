/**
 * The way in: decide each message of a batch, store the batch (T0, fused with T2 where a lane is idle), then let turns
 * and commands begin. The platform is acknowledged when `receive` has resolved, so nothing here can be lost after it.
 */
import { type InboundMessage, parseAddress, type ReceiveOutcome } from "@banyan/plugin-sdk";
import type { ItemRow, ReceivedItem, ReceivedResult, SessionWrite } from "@banyan/plugin-sdk/store";
import type { AccessPolicy } from "../access/decide-access.ts";
import type { LaneScheduler } from "../lanes/lane-scheduler.ts";
import { commitSurely } from "../ports/commit-step.ts";
import { buildReceivedItems, formatWriter } from "./build-received.ts";
import { CommandLanes } from "./command-lanes.ts";
import { decideInbound, type InboundDecision, type InboundRules } from "./decide-inbound.ts";
import type { RouteTable } from "./route-message.ts";
import type { CommandParts } from "./run-command.ts";
import { settleCommand } from "./settle-command.ts";

const PAGE_COMMANDS = 200;
/** Below the lane cap by far, so an idle lane cannot be full within one batch. */
const MOST_WITHOUT_NOTICE = 100;
/** Commands of one lane in memory: more than anybody types while one runs, few enough that a flood stays a small one. */
const MOST_COMMANDS = 100;

export interface InboundParts extends CommandParts {
  readonly lanes: LaneScheduler;
  readonly routes: RouteTable;
  /** Names of the commands whose text goes on as a message. */
  readonly commandsWithMessage: ReadonlySet<string>;
}

export interface InboundAccount {
  readonly channel: string;
  readonly account: string;
  readonly access: AccessPolicy;
}

export class Inbound {
  readonly #parts: InboundParts;
  readonly #commands: CommandLanes;

  constructor(parts: InboundParts) {
    this.#parts = parts;
    this.#commands = new CommandLanes((item) => settleCommand(item, parts), parts.ports.log);
  }

  /** Takes one batch in. Rejects when nothing was stored. */
  async receive(
    account: InboundAccount,
    messages: readonly InboundMessage[],
    cursor: string | undefined,
  ): Promise<readonly ReceiveOutcome[]> {
    if (messages.length === 0 && cursor === undefined) return [];
    for (const { address } of messages) refuseForeignAddress(account, address);
    const { store, ports, owner, lanes, routes, commandNames, commandsWithMessage, sessions, signal } = this.#parts;
    const rules = { access: account.access, routes, commands: commandNames, commandsWithMessage };
    const offered = new Map<string, number>();
    const around = {
      sessions,
      takeCommand: (lane: string) => {
        const count = offered.get(lane) ?? this.#commands.count(lane);
        offered.set(lane, count + 1);
        return count < MOST_COMMANDS;
      },
      getChannel: this.#parts.getChannel,
      // Many messages at once can fill an idle lane, too.
      isBusy: (lane: string) => messages.length > MOST_WITHOUT_NOTICE || lanes.has(lane),
      createId: ports.createId,
      createUuid: ports.createUuid,
      now: ports.clock.now(),
    };
    const offers = messages.flatMap((message) =>
      buildReceivedItems(message, this.#decide(message, rules), around).map((item, at) => ({ message, item, at })),
    );
    const items = offers.map(({ item }) => item);
    ports.faultPoint("inbound.parsed");
    ports.faultPoint("T0.before");
    let isRepeated = false;
    const stored = await commitSurely(
      store,
      {
        step: "receive",
        account: { channel: account.channel, account: account.account },
        items,
        ...(cursor === undefined ? {} : { cursor }),
        ...(lanes.hasRoom ? { claim: { owner, claimId: ports.createId() } } : {}),
      },
      ports,
      signal,
      () => {
        isRepeated = true;
      },
    );
    ports.faultPoint("T0.after");
    if (stored.status === "refused") {
      // A cached session is not in the store: the cache was wrong about it, so it is asked again.
      for (const item of items) sessions.forget(item.lane);
      throw new Error(`A batch was received: the store refused it (${stored.reason}); receive it again`);
    }
    const ended = offers.map((offer, at) => ({ ...offer, result: stored.items[at] }));
    for (const { message, item, result } of ended) if (result !== undefined) this.#begin(message, item, result);
    // A repeated step calls what it stored duplicates: what waits of it is looked for.
    if (isRepeated) {
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
        this.#commands.run(item);
      }
      if (page.length < PAGE_COMMANDS) return;
    }
  }

  /** Lanes with a command under way. */
  get busyLanes(): number {
    return this.#commands.size;
  }

  /** Resolves when no command is under way. */
  close(): Promise<void> {
    return this.#commands.settled();
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

  /** Lets the stored message have its effect. */
  #begin(message: InboundMessage, item: ReceivedItem, result: ReceivedResult): void {
    const { lanes, outbox, sessions, hooks } = this.#parts;
    const written = new Set(result.deliveries);
    const offered = [...(item.deliveries ?? []), ...(item.ifFull === undefined ? [] : [item.ifFull])];
    if (written.size > 0) outbox.enqueue(offered.filter(({ id }) => written.has(id)));
    // A claim is answered again when the step was repeated: its lane is ours, whatever else the answer says.
    if (result.claim !== undefined) {
      // A repeated answer may tell of a turn that has begun already.
      const isNew = result.outcome === "stored" && result.claim.item.seq === result.seq;
      lanes.begin({ ...result.claim, isNew });
    }
    if (result.outcome !== "stored" || item.refused !== undefined) return;
    const kind = item.kind === "command" ? "command" : "message";
    if (item.session !== undefined) void this.#announceSession(item.session, result);
    void hooks.message_received.call({ sessionKey: item.lane, kind, message });
    if (kind === "command") this.#commands.run(toItemRow(item, result.seq, this.#parts.ports.clock.now()));
    if (result.claim === undefined && kind === "message") lanes.wake(item.lane);
    if (item.writer !== undefined) sessions.addWriter(item.lane, formatWriter(item.writer));
  }

  /** Tells the taps when the record offered with the message is the one that now stands: the session began with it. */
  async #announceSession(offered: SessionWrite, { claim }: ReceivedResult): Promise<void> {
    const { store, hooks, ports } = this.#parts;
    const { key: sessionKey, sessionId, agentId } = offered;
    try {
      const standing = claim?.session ?? (await store.read.session(sessionKey));
      if (standing?.sessionId !== sessionId) return;
      await hooks.session_start.call({ sessionKey, sessionId, agentId, reason: "created" });
    } catch (error) {
      ports.log.warn({ err: error, session: sessionKey }, "the beginning of a session was not told");
    }
  }
}

/** A plugin speaks for its own account alone: what it says of another one would pass by that one's access rules. */
function refuseForeignAddress({ channel, account }: InboundAccount, address: InboundMessage["address"]): void {
  const place = parseAddress(address);
  if (place.channel === channel && place.account === account) return;
  throw new Error(
    `A batch was received by ${channel}/${account}: a message names another account, received ${place.channel}/${place.account}; build addresses with the plugin's id and context.account`,
  );
}

function toItemRow(item: ReceivedItem, seq: number, receivedAtMs: number): ItemRow {
  const { lane, kind, address, body } = item;
  return { lane, seq, kind, state: "waiting", address, attempt: 0, receivedAtMs, body };
}
