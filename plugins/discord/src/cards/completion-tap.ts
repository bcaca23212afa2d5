/** The channel's own tap on `announce`: a completion is a small card with its words below it. */
import { type Address, type Announcement, type ChannelContext, parseAddress } from "@banyan/plugin-sdk";
import type { ButtonKey } from "../commands/button-id.ts";
import { type DiscordConfig, formatPageUrl } from "../discord-config.ts";
import type { MessagePlace } from "../inbound/message-place.ts";
import { parsePlace } from "../places/place.ts";
import type { PlaceDirectory } from "../places/place-directory.ts";
import type { MessageSender } from "../sending/message-sender.ts";
import { type CardButtons, formatRunButtonId } from "./card-button.ts";
import { buildCompletionCard } from "./completion-card.ts";

export interface CompletionTapOptions
  extends Pick<ChannelContext<DiscordConfig>, "account" | "hooks" | "clock" | "log"> {
  readonly config: Pick<DiscordConfig, "completions" | "apiBaseUrl">;
  readonly buttonKey: ButtonKey;
  readonly directory: Pick<PlaceDirectory, "lookUp">;
  readonly sender: MessageSender;
}

/** So long a send may take, waiting for its turn included; the host's own tap has as much. */
const TAP_TIMEOUT_MS = 60_000;

export function tapCompletions(options: CompletionTapOptions): () => void {
  const { account, hooks, config, sender } = options;
  const tap = { name: `discord/${account} card`, timeoutMs: TAP_TIMEOUT_MS };
  return hooks.announce.tapPromise(tap, async (announcement) => {
    const target = parseAddress(announcement.target);
    if (target.channel !== "discord" || target.account !== account || config.completions === "text") return undefined;
    const { delivery, target: address, text, replyTo, turnId } = announcement;
    const { content, ...extras } = buildCompletionCard(announcement, await buildButtons(announcement, options));
    const part = {
      deliveryId: delivery.id,
      part: delivery.part,
      address,
      text,
      createdAt: delivery.createdAt,
      mayHaveArrived: delivery.mayHaveArrived,
      ...(replyTo !== undefined && { replyTo }),
      ...(turnId !== undefined && { turnId }),
    };
    return sender.send(part, { content: content ?? "", extras });
  });
}

async function buildButtons(
  announcement: Announcement,
  options: CompletionTapOptions,
): Promise<Omit<CardButtons, "killId">> {
  const { childThread, delivery, runId } = announcement;
  if (delivery.part < delivery.of - 1) return {};
  const thread = childThread && (await findThread(childThread, options));
  // On Discord a thread is a channel.
  const page = thread?.kind === "thread" ? `/channels/${thread.guildId}/${thread.channelId}` : undefined;
  const threadUrl = page && formatPageUrl(options.config, page);
  const { askedBy } = announcement.completion;
  const run = { runId, ...(askedBy !== undefined && { askedBy }) };
  const buttons = { key: options.buttonKey, now: options.clock.now() };
  // With several parts, people notice a missing one.
  const retryId = delivery.of > 1 ? formatRunButtonId("retry", run, buttons) : undefined;
  return { ...(threadUrl !== undefined && { threadUrl }), ...(retryId !== undefined && { retryId }) };
}

/** A courtesy: what cannot be looked up must not look like a message that was not sent. */
async function findThread(
  address: Address,
  { directory, log }: Pick<CompletionTapOptions, "directory" | "log">,
): Promise<MessagePlace | undefined> {
  try {
    return await directory.lookUp(parsePlace(address).channelId);
  } catch (err) {
    log.debug({ err, address }, "a sub-agent's thread could not be looked up; its card has no link to it");
    return undefined;
  }
}
