/**
 * Growing answers. While a turn runs its text so far stands in the chat as a message that is edited now and then; the
 * delivery of the answer then turns that message into its first part. What stands where is written down before it is
 * sent, so that an answer which is made again after a death goes on in the same message, and none is left behind.
 */
import {
  type Address,
  ChannelError,
  type Clock,
  type Log,
  type ProgressAbility,
  REFUSED_CLASSES,
} from "@banyan/plugin-sdk";
import type { GrowingText } from "@banyan/plugin-sdk/kit";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import { parsePlace } from "../places/place.ts";
import { type DiscordApi, readId } from "../rest/discord-api.ts";
import { buildSnowflake, readSnowflakeTime } from "../snowflake.ts";
import { type Draft, dropDraft, findDraft, hasRoomForDraft, putDraft } from "../state/draft.ts";
import type { StateKeeper } from "../state/state-keeper.ts";
import { formatDraft, isDraftText } from "./draft-text.ts";
import { createLiveDraft } from "./live-draft.ts";
import { findLostMessage, type LostMessageSearch, type SaidMessage } from "./lost-message.ts";
import { buildEditBody, buildMessageBody, type MessageExtras } from "./message-body.ts";
import { editMessage } from "./message-edit.ts";
import type { SentPart } from "./message-sender.ts";
import { buildNonce } from "./nonce.ts";

export interface DraftBookOptions {
  readonly api: DiscordApi;
  readonly keeper: StateKeeper;
  readonly search: LostMessageSearch;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** By then the answer was on its way, or there is none. */
const FORGET_AFTER_MS = 30_000;
/** A turn that was cut off runs again soon after a start. */
const ABANDONED_AFTER_MS = 10 * 60_000;
/** The id that Discord gives cannot be older than this before the moment at which it was asked for. */
const SLACK_MS = 60_000;
const REFUSED_EDIT = "a growing answer could not be edited into the answer on Discord; it is sent as a new message";

export class DraftBook {
  readonly #options: DraftBookOptions;
  readonly #live = new Map<string, GrowingText>();
  readonly #removals = new Map<string, Promise<void>>();
  /** Turns whose answer is being put in place of the draft: it is no longer anybody's to take away. */
  readonly #settling = new Set<string>();
  readonly progress: ProgressAbility;

  constructor(options: DraftBookOptions) {
    this.#options = options;
    this.progress = {
      update: ({ turnId, address, textSoFar }) => this.#grow(turnId, address, textSoFar),
      end: ({ turnId }) => this.#end(turnId),
    };
  }

  /** Turns the turn's draft into the part; resolves with its id, or `undefined` where the part is to be sent. */
  async settle(sent: SentPart, content: string, extras?: MessageExtras): Promise<string | undefined> {
    const { turnId, part } = sent;
    if (turnId === undefined || part !== 0) return undefined;
    this.#settling.add(turnId);
    try {
      return await this.#settleDraft(turnId, sent, buildEditBody(content, extras));
    } finally {
      this.#settling.delete(turnId);
    }
  }

  async #settleDraft(turnId: string, { deliveryId, address }: SentPart, body: object): Promise<string | undefined> {
    await this.#live.get(turnId)?.stop();
    // What is being deleted takes no answer in.
    await this.#removals.get(turnId);
    const draft = this.#find(turnId);
    if (draft === undefined || draft.address !== address) return undefined;
    // It is another message of the same turn already.
    if (draft.delivery !== undefined && draft.delivery !== deliveryId) return undefined;
    const messageId = await this.#locate(draft);
    if (messageId !== undefined) {
      await this.#put({ ...draft, messageId, delivery: deliveryId });
      if (await this.#turnInto(draft, messageId, body)) return messageId;
    }
    await this.#remove(draft);
    return undefined;
  }

  /** Sees to it that what an earlier life left standing goes, unless its turn runs again. */
  sweep(): void {
    for (const { turnId } of this.#options.keeper.state.drafts) this.#forgetLater(turnId, ABANDONED_AFTER_MS);
  }

  #grow(turnId: string, address: Address, text: string): void {
    const { clock, signal } = this.#options;
    if (signal.aborted || text.trim() === "") return;
    const draft = this.#live.get(turnId) ?? createLiveDraft(clock, (shown) => this.#show(turnId, address, shown));
    this.#live.set(turnId, draft);
    draft.grow(text);
  }

  #end(turnId: string): void {
    const draft = this.#live.get(turnId);
    if (draft === undefined) return;
    void draft.stop().then(() => {
      this.#live.delete(turnId);
      if (draft.wasShown) this.#forgetLater(turnId, FORGET_AFTER_MS);
    });
  }

  async #show(turnId: string, address: Address, text: string): Promise<void> {
    const { keeper, log, signal } = this.#options;
    if (signal.aborted) return;
    try {
      const known = this.#find(turnId);
      if (known?.delivery !== undefined || (known === undefined && !hasRoomForDraft(keeper.state.drafts))) return;
      const content = formatDraft(text, renderMarkdown);
      const draft = known ?? (await this.#begin(turnId, address));
      const messageId = known === undefined ? undefined : await this.#locate(known);
      if (messageId === undefined) await this.#post(draft, content);
      else await this.#edit(address, messageId, buildEditBody(content));
    } catch (error) {
      // Only a courtesy: the answer itself is delivered.
      log.debug({ err: error, turnId }, "a growing answer could not be shown on Discord");
    }
  }

  async #begin(turnId: string, address: Address): Promise<Draft> {
    const draft = { turnId, address, after: buildSnowflake(this.#options.clock.now() - SLACK_MS) };
    await this.#put(draft);
    return draft;
  }

  async #post(draft: Draft, content: string): Promise<void> {
    const { channelId } = parsePlace(draft.address);
    const attempt = `Showing a growing answer in Discord channel ${channelId}`;
    const answer = await this.#options.api.call({
      method: "post",
      route: `/channels/${channelId}/messages`,
      body: buildMessageBody({ content, nonce: buildNonce(draft.turnId, "draft") }),
      attempt,
    });
    const unread = () => new ChannelError("ambiguous", `${attempt}: it was accepted without an id; check apiBaseUrl`);
    await this.#put({ ...draft, messageId: readId(answer, unread) });
  }

  /** Also what an earlier life sent without learning its id. */
  async #locate(draft: Draft): Promise<string | undefined> {
    if (draft.messageId !== undefined) return draft.messageId;
    const { address, after, turnId } = draft;
    const { channelId } = parsePlace(address);
    const lost = { address, channelId, nonce: buildNonce(turnId, "draft"), createdAt: readSnowflakeTime(after) };
    const { search, keeper } = this.#options;
    const findDelivered: LostMessageSearch["findDelivered"] = async (request) => {
      const others = keeper.state.drafts.map((other) => other.messageId).filter((id) => id !== undefined);
      return new Set([...(await search.findDelivered(request)), ...others]);
    };
    const isLike = ({ content }: SaidMessage): boolean => isDraftText(content);
    const messageId = await findLostMessage({ ...lost, isLike }, { ...search, findDelivered });
    if (messageId !== undefined) await this.#put({ ...draft, messageId });
    return messageId;
  }

  #edit(address: Address, messageId: string, body: object): Promise<boolean> {
    return editMessage(this.#options.api, { channelId: parsePlace(address).channelId, messageId }, body);
  }

  /**
   * `false` where Discord does not take the edit: the part is sent as a new message. Before that the draft is deleted as
   * far as Discord allows it, and forgotten, so that no later process edits the part into it as well.
   */
  async #turnInto(draft: Draft, messageId: string, body: object): Promise<boolean> {
    try {
      return await this.#edit(draft.address, messageId, body);
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.#options.log.warn({ err: error, turnId: draft.turnId }, REFUSED_EDIT);
      await this.#takeAway({ ...draft, messageId }).catch(async (failure: unknown) => {
        if (!isRefused(failure)) throw failure;
        await this.#drop(draft.turnId);
        // An edit of an earlier attempt may have been made, and the message stays.
        if (draft.delivery !== undefined) throw new ChannelError("ambiguous", failure.message, { cause: failure });
      });
      return false;
    }
  }

  /** Never rejects: what still stands is told to the operator. One at a time for a turn. */
  #remove(draft: Draft): Promise<void> {
    const { turnId } = draft;
    const removal = this.#takeAway(draft)
      .catch((err: unknown) =>
        this.#options.log.warn({ err, turnId }, "a growing answer without an end still stands on Discord"),
      )
      .finally(() => this.#removals.delete(turnId));
    this.#removals.set(turnId, removal);
    return removal;
  }

  async #takeAway(draft: Draft): Promise<void> {
    const messageId = await this.#locate(draft);
    const { channelId } = parsePlace(draft.address);
    if (messageId !== undefined) {
      await this.#options.api.find({
        method: "delete",
        route: `/channels/${channelId}/messages/${messageId}`,
        attempt: `Deleting a growing answer in Discord channel ${channelId}`,
      });
    }
    await this.#drop(draft.turnId);
  }

  #forgetLater(turnId: string, delayMs: number): void {
    const { clock, signal } = this.#options;
    clock.schedule(delayMs, () => {
      const draft = this.#find(turnId);
      if (signal.aborted || this.#live.has(turnId) || draft === undefined || draft.delivery !== undefined) return;
      if (this.#settling.has(turnId)) this.#forgetLater(turnId, delayMs);
      else void this.#remove(draft);
    });
  }

  #find(turnId: string): Draft | undefined {
    return findDraft(this.#options.keeper.state.drafts, turnId);
  }

  async #put(draft: Draft): Promise<void> {
    const { keeper, clock } = this.#options;
    await keeper.store([], (state) => ({ ...state, drafts: putDraft(state.drafts, draft, clock.now()) }));
  }

  async #drop(turnId: string): Promise<void> {
    await this.#options.keeper.store([], (state) => ({ ...state, drafts: dropDraft(state.drafts, turnId) }));
  }
}

function isRefused(error: unknown): error is ChannelError {
  return error instanceof ChannelError && REFUSED_CLASSES.has(error.class);
}
