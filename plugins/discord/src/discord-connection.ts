import type { ChannelConnection, ChannelContext } from "@banyan/plugin-sdk";
import { createAccountHealth, createPlatformTime } from "@banyan/plugin-sdk/kit";
import { z } from "zod";
import { type DiscordConfig, isPlatform } from "./discord-config.ts";
import { createFaultReport } from "./fault-report.ts";
import { createEventIntake, type EventIntake } from "./gateway/event-intake.ts";
import { createGapReader } from "./gateway/gap-reader.ts";
import { connectGateway, type GatewayClient } from "./gateway/gateway-client.ts";
import { createGuildWatch } from "./gateway/guild-watch.ts";
import { createMessageTranslation } from "./inbound/message-translation.ts";
import { createPlaceDirectory } from "./places/place-directory.ts";
import { createDiscordApi } from "./rest/discord-api.ts";
import { closeRestClient, createRestClient } from "./rest/rest-client.ts";
import { createMessageSender } from "./sending/message-sender.ts";
import { createTypingIndicator } from "./sending/typing-indicator.ts";
import { createStateKeeper } from "./state/state-keeper.ts";

/** Checks the token, then listens until the account stops. `random`, from 0 to below 1, spreads retries. */
export async function connectDiscord(
  context: ChannelContext<DiscordConfig>,
  random: () => number,
): Promise<ChannelConnection> {
  const { account, clock, config, log } = context;
  const stopping = new AbortController();
  const signal = AbortSignal.any([context.signal, stopping.signal]);
  const platformTime = createPlatformTime(context.fetch, clock);
  const rest = createRestClient({ config, fetch: platformTime.fetch, signal });
  const reportFault = createFaultReport(config.token);
  const api = createDiscordApi(rest, reportFault);
  const me = await readIdentity(api, account);
  // …
}
