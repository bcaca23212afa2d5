import { type Address, isAddress, parseAddress } from "@banyan/plugin-sdk";
import type { ItemRow, NewDelivery } from "@banyan/store";
import { parseItemBody } from "../lanes/item-body.ts";
import type { LaneClaim } from "../lanes/lane-claim.ts";
import { composeDeliveries } from "../outbound/compose-deliveries.ts";
import { commitStep } from "../ports/commit-step.ts";
import type { Turn } from "./compose-turn.ts";
import type { LiveTurn } from "./live-turn.ts";
import type { TurnParts } from "./turn-parts.ts";

/** Shorter waits are usual, and a longer one looks like no answer. */
const PATIENCE_MS = 60_000;
/** As many of a lane are looked at. */
const MAX_WAITING = 200;

/**
 * Tells people whose messages wait behind a turn that it is still at work: once for each turn and chat, which the stored
 * delivery says over all attempts. A courtesy: what goes wrong with it is logged, and changes nothing of the turn.
 */
export class WaitingNotice {
  readonly #claim: LaneClaim;
  readonly #opening: Promise<LiveTurn>;
  readonly #parts: TurnParts;
  #cancel: (() => void) | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;

  constructor(claim: LaneClaim, opening: Promise<LiveTurn>, parts: TurnParts) {
    this.#claim = claim;
    this.#opening = opening;
    this.#parts = parts;
  }

  /** Something waits in the turn's lane. */
  offer(): void {
    if (this.#isClosed) return;
    this.#cancel ??= this.#parts.ports.clock.schedule(PATIENCE_MS, () => {
      this.#cancel = undefined;
      this.#looking = this.#look();
    });
  }

  /** The turn is about to end. Resolves when nothing more is written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { lane } = this.#claim;
    try {
      const { turn, heard } = await this.#opening;
      // It waits for a person itself.
      if (this.#parts.questions.isAsking(lane)) return this.offer();
      const open = await this.#parts.store.read.openItems({ lane, kinds: ["message"], limit: MAX_WAITING });
      const taken = new Set([this.#claim.item.seq, ...turn.taken, ...heard.map(({ seq }) => seq)]);
      const waiting = open.filter(({ seq, state }) => state === "waiting" && !taken.has(seq));
      const now = this.#parts.ports.clock.now();
      // What came in what is now the future has waited: the clock was set back.
      const isLong = ({ receivedAtMs }: ItemRow) => receivedAtMs > now || now - receivedAtMs >= PATIENCE_MS;
      // What has come since the look was planned has a look of its own.
      if (!waiting.every(isLong)) this.offer();
      const firsts = new Map(
        waiting
          .filter(isLong)
          .toReversed()
          .map((item) => [item.address, item]),
      );
      for (const item of firsts.values()) await this.#tell(item, turn);
    } catch (error) {
      this.#parts.ports.log.warn({ err: error, session: lane }, "a person who waits could not be notified");
    }
  }

  async #tell(item: ItemRow, turn: Turn): Promise<void> {
    const { store, ports, outbox, owner } = this.#parts;
    const { address } = item;
    if (this.#isClosed || !isAddress(address)) return;
    const deliveryId = `waiting|${this.#claim.item.seq}|${address}`;
    if ((await store.read.delivery(`${deliveryId}.0`)) !== undefined) return;
    const text = await this.#finish(address, formatNotice(item, turn));
    const deliveries = outbox.reserve(text === undefined ? [] : this.#compose(deliveryId, item, address, text), owner);
    if (deliveries.length === 0) return;
    let isWritten = false;
    try {
      ports.faultPoint("T2b.before");
      isWritten = await this.#write(deliveries, turn);
      ports.faultPoint("T2b.after");
    } finally {
      if (isWritten) outbox.enqueue(deliveries);
      else outbox.release(deliveries);
    }
  }

  /** As the hook leaves it; `undefined` where it keeps it back. */
  async #finish(address: Address, text: string): Promise<string | undefined> {
    const { message_sending } = this.#parts.hooks;
    if (!message_sending.isTapped) return text;
    const sending = { sessionKey: this.#claim.lane, address, kind: "notice", text } as const;
    const final = await message_sending.call(sending);
    return "cancelled" in final && final.cancelled !== undefined ? undefined : final.text;
  }

  #compose(deliveryId: string, item: ItemRow, address: Address, text: string): readonly NewDelivery[] {
    const { text: limit, policy } = this.#parts.getChannel(address);
    const sessionKey = this.#claim.lane;
    const answersMessage = parseAddress(address).kind !== "dm";
    return composeDeliveries({
      deliveryId,
      kind: "notice",
      address,
      text: this.#parts.ports.scrub(text),
      limit,
      policy,
      sessionKey,
      ...(answersMessage ? { replyTo: parseItemBody(item.body).id } : {}),
    });
  }

  /** Not tried again on a full disk: the turn must not wait for it. */
  async #write(deliveries: readonly NewDelivery[], { record }: Turn): Promise<boolean> {
    const { lane, epoch, item } = this.#claim;
    const { sessionId } = record.entry;
    const place = { lane, epoch, sessionId, itemSeq: item.seq };
    const step = { step: "tool_result", ...place, entries: [], deliveries, isNote: true } as const;
    return (await commitStep(this.#parts.store, step)).status !== "fenced";
  }
}

/** Of a turn that somebody else's message has begun it says so. */
function formatNotice(item: ItemRow, { claim, body, completions }: Turn): string {
  const { sender } = parseItemBody(item.body);
  const asked = claim.item.kind === "completion" ? completions.map(({ askedBy }) => askedBy) : [body.sender.id];
  return `Still working on ${asked.includes(sender.id) ? "your" : "an"} earlier message. /stop ends it.`;
}
