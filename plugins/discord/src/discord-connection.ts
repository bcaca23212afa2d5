import type { ChannelConnection, ChannelContext, InboundMessage, ReceiveOutcome } from "@banyan/plugin-sdk";
import { type AccountHealth, createAccountHealth, createPlatformTime, type PlatformTime } from "@banyan/plugin-sdk/kit";
import type { REST } from "discord.js";
import { tapCompletions } from "./cards/completion-tap.ts";
import { buildQuestionLook } from "./cards/question-look.ts";
import { deriveButtonKey } from "./commands/button-id.ts";
import { type DiscordConfig, isPlatform } from "./discord-config.ts";
import { type DiscordIdentity, readIdentity } from "./discord-identity.ts";
import { createFaultReport, type FaultReport } from "./fault-report.ts";
import { createFileDownloader } from "./files/file-downloader.ts";
import { EventIntake } from "./gateway/event-intake.ts";
import { GapReader } from "./gateway/gap-reader.ts";
import { GatewayClient } from "./gateway/gateway-client.ts";
import { GuildWatch } from "./gateway/guild-watch.ts";
import { listIntents } from "./gateway/intents.ts";
import { CONTENT_CURE, createMessageTranslation } from "./inbound/message-translation.ts";
import { registerCommands } from "./interactions/command-registration.ts";
import { postAnswer } from "./interactions/interaction-callback.ts";
import { InteractionDesk } from "./interactions/interaction-desk.ts";
import { mountInteractions } from "./interactions/interaction-endpoint.ts";
import { createPlaceDirectory, type PlaceDirectory } from "./places/place-directory.ts";
import { createDiscordApi, type DiscordApi } from "./rest/discord-api.ts";
import { closeRestClient, createRestClient } from "./rest/rest-client.ts";
import { DraftBook } from "./sending/draft-book.ts";
import { createEdits } from "./sending/message-edit.ts";
import { createMessageSender } from "./sending/message-sender.ts";
import { createTypingIndicator } from "./sending/typing-indicator.ts";
import { buildSnowflake } from "./snowflake.ts";
import { begin } from "./state/account-state.ts";
import { createStateKeeper, type StateKeeper } from "./state/state-keeper.ts";
import { findPlaceState } from "./threads/place-state.ts";
import { ThreadFates, type ThreadFatesOptions } from "./threads/thread-fates.ts";
import { createThreadRelease } from "./threads/thread-release.ts";
import { createThreadRescue } from "./threads/thread-rescue.ts";
import { createThreads } from "./threads/threads.ts";

/** What the parts of one account have in common. */
interface Surroundings extends Pick<ChannelContext<DiscordConfig>, "account" | "clock" | "config" | "log"> {
  readonly api: DiscordApi;
  readonly botId: string;
  readonly fates: ThreadFates;
  readonly health: AccountHealth;
  readonly keeper: StateKeeper;
  readonly now: () => number;
  readonly random: () => number;
  readonly reportFault: FaultReport;
  readonly rest: REST;
  readonly signal: AbortSignal;
}

/** Checks the token, then listens until the account stops. `random`, from 0 to below 1, spreads retries. */
export async function connectDiscord(
  context: ChannelContext<DiscordConfig>,
  random: () => number,
): Promise<ChannelConnection> {
  const { account, clock, config, cursor, log } = context;
  const stopping = new AbortController();
  const signal = AbortSignal.any([context.signal, stopping.signal]);
  const platformTime = createPlatformTime(context.fetch, clock);
  const rest = createRestClient({ config, fetch: platformTime.fetch, signal, log });
  const reportFault = createFaultReport(config.token);
  const api = createDiscordApi(rest, reportFault);
  const identity = await readIdentity(api).catch((error: unknown) => {
    closeRestClient(rest);
    throw error;
  });
  introduce(context, identity);
  const health = createAccountHealth(context.report, log);
  const keeper = createStateKeeper({ cursor, receive: context.receive, platformNow: platformTime.now });
  const now = (): number => readTime(platformTime, clock);
  const common = { account, api, botId: identity.botId, clock, config, health, keeper, log, now, random, reportFault };
  const look: ThreadFatesOptions["look"] = (place) => findPlaceState(place, common);
  const surroundings: Surroundings = { ...common, fates: new ThreadFates({ ...common, look }), rest, signal };
  const directory = createPlaceDirectory({ read: api.findChannel });
  const listening = await beginListening().catch((error: unknown) => {
    closeRestClient(rest);
    throw error;
  });
  async function beginListening(): Promise<Listening> {
    // What is said from here on is heard, by the gateway or by reading; also by another process, should this one die.
    const first = buildSnowflake(now() + 1);
    if (keeper.state.at === undefined) await keeper.store([], (state) => begin(state, first));
    return listen(context, identity, surroundings, directory);
  }
  async function close(): Promise<void> {
    stopping.abort();
    await listening.close();
    await keepLast(keeper, log);
    closeRestClient(rest);
  }
  try {
    await listening.opened();
  } catch (error) {
    await close();
    throw error;
  }
  surroundings.fates.begin();
  const files = createFileDownloader({ api, config, fetch: context.fetch, reportFault });
  return { ...speak(context, surroundings, directory, platformTime), files, close };
}

interface Listening {
  opened(): Promise<void>;
  close(): Promise<void>;
}

/** The way in: gateway → intake → translation → the host. */
function listen(
  context: ChannelContext<DiscordConfig>,
  { applicationId, hearsContent, publicKey }: DiscordIdentity,
  parts: Surroundings,
  directory: PlaceDirectory,
): Listening {
  const { account, api, botId, clock, config, keeper, log, now } = parts;
  const { commands, suggestTargets, threadGone, http } = context;
  const me = { account, botId, applicationId, roleIds: directory.roleIds };
  const translation = createMessageTranslation({ ...parts, me, directory });
  const gap = new GapReader({ api, log, now, translate: translation.fromHistory });
  const store = async (message: InboundMessage): Promise<ReceiveOutcome> =>
    (await keeper.store([message]))[0] ?? "refused";
  const desk = new InteractionDesk({
    ...parts,
    me,
    commands,
    suggestTargets,
    store,
    buttonKey: deriveButtonKey(config.token),
  });
  // Before anything connects: it may be refused.
  const unmount =
    config.interactions === "http"
      ? mountInteractions({ account, http, desk, clock, now, log, publicKey: publicKey ?? "" })
      : undefined;
  const intake = new EventIntake({
    ...parts,
    watch: new GuildWatch({ ...parts, directory, gap, threadGone }),
    translate: translation.fromGateway,
    interact: (payload) => desk.begin(payload, (answer, interaction) => postAnswer(api, log, answer, interaction)),
    onOverflow: () => void gateway.rewind(),
  });
  const gateway = new GatewayClient({
    ...parts,
    token: config.token,
    intents: listIntents(hearsContent),
    isPaced: isPlatform(config),
    onEvent: (event) => intake.push(event),
  });
  const registering = registerCommands({ api, applicationId, commands, keeper, log });
  return {
    opened: () => gateway.opened(),
    async close() {
      unmount?.();
      await gateway.close();
      await Promise.all([intake.settled(), registering]);
    },
  };
}

/** The way out. */
function speak(
  { findDelivered, hooks, threadFallback: fallback, threadGone }: ChannelContext<DiscordConfig>,
  parts: Surroundings,
  directory: PlaceDirectory,
  { now: platformNow }: PlatformTime,
): Omit<ChannelConnection, "close"> {
  const { api, botId, clock, config } = parts;
  const search = { api, botId, now: () => clock.now(), platformNow, findDelivered };
  const drafts = new DraftBook({ ...parts, search });
  drafts.sweep();
  const release = createThreadRelease({ ...parts, fallback, threadGone });
  const sendToThread = createThreadRescue({ ...parts, release });
  const settleDraft: typeof drafts.settle = (...draft) => drafts.settle(...draft);
  const sender = createMessageSender({ ...parts, search, settleDraft, sendToThread });
  // It goes with the account.
  const buttonKey = deriveButtonKey(config.token);
  tapCompletions({ ...parts, hooks, directory, sender, buttonKey });
  return {
    send: (message) =>
      sender.send(message, message.question && buildQuestionLook(message.text, message.question, buttonKey)),
    edits: createEdits(api, buttonKey, clock),
    progress: drafts.progress,
    typing: createTypingIndicator(parts),
    threads: createThreads({ ...parts, release }),
  };
}

/** Discord's clock as near as can be told: its answers name whole seconds, and this machine's clock may be wrong. */
function readTime(platformTime: PlatformTime, clock: ChannelContext<DiscordConfig>["clock"]): number {
  const second = platformTime.now();
  return second === undefined ? clock.now() : Math.min(Math.max(clock.now(), second), second + 1_000);
}

async function keepLast(keeper: StateKeeper, log: ChannelContext<DiscordConfig>["log"]): Promise<void> {
  try {
    await keeper.keep();
  } catch (err) {
    log.debug({ err }, "the place in Discord's gateway was not stored; a little is heard twice and known by its id");
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
