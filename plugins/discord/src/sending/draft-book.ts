/**
 * Growing answers. While a turn runs its text so far stands in the chat as a message that is edited now and then; the
 * delivery of the answer then turns that message into its first part. What stands where is written down before it is
 * sent, so that an answer which is made again after a death goes on in the same message, and none is left behind.
 */
import { type Address, ChannelError, type Clock, type Log, type ProgressAbility } from "@banyan/plugin-sdk";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import { parsePlace } from "../places/place.ts";
import { type DiscordApi, readId } from "../rest/discord-api.ts";
import { buildSnowflake, readSnowflakeTime } from "../snowflake.ts";
import { type Draft, dropDraft, findDraft, hasRoomForDraft, putDraft } from "../state/draft.ts";
import type { StateKeeper } from "../state/state-keeper.ts";
import { formatDraft, isDraftText } from "./draft-text.ts";
import { LiveDraft } from "./live-draft.ts";
import { findLostMessage, type LostMessageSearch } from "./lost-message.ts";
import { buildEditBody, buildMessageBody, type MessageExtras } from "./message-body.ts";
import { editMessage } from "./message-edit.ts";
import type { SentPart } from "./message-sender.ts";
import { buildNonce } from "./nonce.ts";

export interface DraftBook {
  readonly progress: ProgressAbility;
  /** Turns the turn's draft into the part; resolves with its id, or `undefined` where the part is to be sent. */
  settle(part: SentPart, content: string, extras?: MessageExtras): Promise<string | undefined>;
  /** Sees to it that what an earlier life left standing goes, unless its turn runs again. */
  sweep(): void;
}

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

export function createDraftBook(options: DraftBookOptions): DraftBook {
  const { api, keeper, search, clock, log, signal } = options;
  const live = new Map<string, LiveDraft>();
  const find = (turnId: string): Draft | undefined => findDraft(keeper.state, turnId);
  const put = (draft: Draft) => keeper.store([], (state) => putDraft(state, draft, clock.now()));
  const drop = (turnId: string) => keeper.store([], (state) => dropDraft(state, turnId));

  async function show(turnId: string, address: Address, text: string): Promise<void> {
    try {
      const known = find(turnId);
      if (known === undefined && !hasRoomForDraft(keeper.state)) return;
      if (known?.delivery !== undefined) return;
      const content = formatDraft(text, renderMarkdown);
      const draft = known ?? (await begin(turnId, address));
      const messageId = draft.messageId ?? (known && (await locate(known)));
      await (messageId === undefined ? post(draft, content) : edit(address, messageId, buildEditBody(content)));
    } catch (error) {
      // Only a courtesy: the answer itself is delivered.
      log.debug({ err: error, turnId }, "a growing answer could not be shown on Discord");
    }
  }

  async function begin(turnId: string, address: Address): Promise<Draft> {
    const draft = { turnId, address, after: buildSnowflake(clock.now() - SLACK_MS) };
    await put(draft);
    return draft;
  }

  async function post(draft: Draft, content: string): Promise<void> {
    const { channelId } = parsePlace(draft.address);
    const answer = await api.call({
      method: "post",
      route: `/channels/${channelId}/messages`,
      body: buildMessageBody({ content, nonce: buildNonce(draft.turnId, "draft") }),
      attempt: `Showing a growing answer in Discord channel ${channelId}`,
    });
    const messageId = readId(
      answer,
      () =>
        new ChannelError("ambiguous", "Showing a growing answer on Discord: a message without an id; check apiBaseUrl"),
    );
    await put({ ...draft, messageId });
  }

  /** What an earlier life sent without learning its id. */
  async function locate(draft: Draft): Promise<string | undefined> {
    if (draft.messageId !== undefined) return draft.messageId;
    const { address, after, turnId } = draft;
    const nonce = buildNonce(turnId, "draft");
    const createdAt = readSnowflakeTime(after);
    const { channelId } = parsePlace(address);
    const messageId = await findLostMessage({ address, channelId, nonce, createdAt, isLike: isDraftText }, search);
    if (messageId !== undefined) await put({ ...draft, messageId });
    return messageId;
  }

  function edit(address: Address, messageId: string, body: object): Promise<boolean> {
    return editMessage(api, { channelId: parsePlace(address).channelId, messageId }, body);
  }

  async function remove(draft: Draft): Promise<void> {
    const messageId = await locate(draft);
    const { channelId } = parsePlace(draft.address);
    if (messageId !== undefined) {
      await api.find({
        method: "delete",
        route: `/channels/${channelId}/messages/${messageId}`,
        attempt: `Deleting a growing answer in Discord channel ${channelId}`,
      });
    }
    await drop(draft.turnId);
  }

  function forgetLater(turnId: string, delayMs: number): void {
    clock.schedule(delayMs, () => {
      const draft = find(turnId);
      if (signal.aborted || live.has(turnId) || draft === undefined || draft.delivery !== undefined) return;
      remove(draft).catch((error: unknown) =>
        log.warn({ err: error, turnId }, "a growing answer without an end still stands on Discord"),
      );
    });
  }

  return {
    progress: {
      update({ turnId, address, textSoFar }) {
        if (signal.aborted || textSoFar.trim() === "") return;
        const draft = live.get(turnId) ?? new LiveDraft(clock, (text) => show(turnId, address, text));
        live.set(turnId, draft);
        draft.grow(textSoFar);
      },
      end({ turnId }) {
        const draft = live.get(turnId);
        if (draft === undefined) return;
        void draft.stop().then(() => live.delete(turnId));
        forgetLater(turnId, FORGET_AFTER_MS);
      },
    },
    async settle({ turnId, deliveryId, part, address }, content, extras) {
      if (turnId === undefined || part !== 0) return undefined;
      await live.get(turnId)?.stop();
      const draft = find(turnId);
      if (draft === undefined || draft.address !== address) return undefined;
      // It is another message of the same turn already.
      if (draft.delivery !== undefined && draft.delivery !== deliveryId) return undefined;
      const messageId = await locate(draft);
      if (messageId === undefined) return void (await drop(turnId));
      await put({ ...draft, messageId, delivery: deliveryId });
      if (await edit(address, messageId, buildEditBody(content, extras))) return messageId;
      await drop(turnId);
      return undefined;
    },
    sweep() {
      for (const { turnId } of keeper.state.drafts) forgetLater(turnId, ABANDONED_AFTER_MS);
    },
  };
}
