import type { ChannelConnection, ChannelContext } from "@banyan/plugin-sdk";
import { createAccountHealth, createPlatformTime } from "@banyan/plugin-sdk/kit";
import { type DiscordConfig, isPlatform } from "./discord-config.ts";
import { type DiscordIdentity, readIdentity } from "./discord-identity.ts";
import { createFaultReport } from "./fault-report.ts";
import { createEventIntake } from "./gateway/event-intake.ts";
import { createGapReader } from "./gateway/gap-reader.ts";
import { connectGateway } from "./gateway/gateway-client.ts";
import { createGuildWatch } from "./gateway/guild-watch.ts";
import { listIntents } from "./gateway/intents.ts";
import { CONTENT_CURE, createMessageTranslation } from "./inbound/message-translation.ts";
import { createPlaceDirectory } from "./places/place-directory.ts";
import { createDiscordApi } from "./rest/discord-api.ts";
import { closeRestClient, createRestClient } from "./rest/rest-client.ts";
import { createDraftBook } from "./sending/draft-book.ts";
import { createMessageSender } from "./sending/message-sender.ts";
import { createTypingIndicator } from "./sending/typing-indicator.ts";
import { createStateKeeper } from "./state/state-keeper.ts";

/** Checks the token, then listens until the account stops. `random`, from 0 to below 1, spreads retries. */
export async function connectDiscord(
  context: ChannelContext<DiscordConfig>,
  random: () => number,
): Promise<ChannelConnection> {
  const { account, clock, config, cursor, log } = context;
  const stopping = new AbortController();
  const signal = AbortSignal.any([context.signal, stopping.signal]);
  const platformTime = createPlatformTime(context.fetch, clock);
  const rest = createRestClient({ config, fetch: platformTime.fetch, signal });
  const reportFault = createFaultReport(config.token);
  const api = createDiscordApi(rest, reportFault);
  const identity = await readIdentity(api).catch((error: unknown) => {
    closeRestClient(rest);
    throw error;
  });
  introduce(context, identity);

  const now = (): number => platformTime.now() ?? clock.now();
  const health = createAccountHealth((state, error) => context.report(state, error), log);
  const receive: typeof context.receive = (messages, options) => context.receive(messages, options);
  const keeper = createStateKeeper({ cursor, receive, platformNow: platformTime.now });
  const directory = createPlaceDirectory({ read: api.findChannel });
  const me = { account, botId: identity.botId, applicationId: identity.applicationId, roleIds: directory.roleIds };
  const translation = createMessageTranslation({ me, directory, health, log });
  const gap = createGapReader({ api, now, translate: translation.fromHistory });
  const common = {
    account,
    api,
    botId: me.botId,
    clock,
    directory,
    health,
    keeper,
    log,
    now,
    random,
    reportFault,
    signal,
  };
  const intake = createEventIntake({
    ...common,
    watch: createGuildWatch({ ...common, gap, threadGone: (address) => context.threadGone(address) }),
    translate: translation.fromGateway,
    interact: async () => undefined,
    onOverflow: () => gateway.rewind(),
  });
  const search = {
    api,
    botId: me.botId,
    now: clock.now,
    platformNow: platformTime.now,
    findDelivered: context.findDelivered,
  };
  const drafts = createDraftBook({ ...common, search });
  const sender = createMessageSender({ ...common, search, settleDraft: drafts.settle });
  const gateway = connectGateway({
    ...common,
    rest,
    token: config.token,
    intents: listIntents(identity.hearsContent),
    isPaced: isPlatform(config),
    onEvent: intake.push,
  });
  drafts.sweep();

  return {
    send: (message) => sender.send(message),
    progress: drafts.progress,
    typing: createTypingIndicator(common),
    async close() {
      stopping.abort();
      await gateway.close();
      await intake.settled();
      await keepLast();
      closeRestClient(rest);
    },
  };

  async function keepLast(): Promise<void> {
    try {
      await keeper.keep();
    } catch (err) {
      log.debug({ err }, "the place in Discord's gateway was not stored; a little is heard twice and known by its id");
    }
  }
}

/** What the bot is, and what it hears: a warning where people expect more of it. */
function introduce(
  { log, needsAllMessages }: ChannelContext<DiscordConfig>,
  { botId, username, hearsContent }: DiscordIdentity,
): void {
  const known = `Discord knows the bot as ${username}`;
  if (hearsContent) {
    log.info({ botId, username }, `${known}; it hears all that is written where it may read`);
    return;
  }
  const heard = `${known}; the Message Content intent is off: in servers it hears mentions only`;
  if (needsAllMessages) log.warn({ botId, username }, `${heard}, but groups.requireMention is false; ${CONTENT_CURE}`);
  else log.info({ botId, username }, heard);
}
