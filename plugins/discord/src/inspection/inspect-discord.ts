import type { AccountFinding, AccountInspection, InspectContext } from "@banyan/plugin-sdk";
import { createPlatformTime } from "@banyan/plugin-sdk/kit";
import { z } from "zod";
import { buildSlashCommands } from "../commands/slash-command.ts";
import type { DiscordConfig } from "../discord-config.ts";
import { type DiscordIdentity, readIdentity } from "../discord-identity.ts";
import { createFaultReport } from "../fault-report.ts";
import { CONTENT_CURE } from "../inbound/message-translation.ts";
import { buildInviteLink } from "../invite-link.ts";
import { createDiscordApi, type DiscordApi } from "../rest/discord-api.ts";
import { closeRestClient, createRestClient } from "../rest/rest-client.ts";
import { inspectChannels } from "./inspect-channels.ts";

const commandList = z.array(z.object({ name: z.string() }));
const gateway = z.object({ session_start_limit: z.object({ remaining: z.number(), reset_after: z.number() }) });
/** A start takes one; a bot that restarts in a loop uses up a thousand a day. */
const FEW_SESSIONS = 50;

/** Asks Discord who the bot is, what it hears, and what stands in its way. Changes nothing. */
export async function inspectDiscord(context: InspectContext<DiscordConfig>): Promise<AccountInspection> {
  const { config, clock, signal } = context;
  const platformTime = createPlatformTime(context.fetch, clock);
  const rest = createRestClient({ config, fetch: platformTime.fetch, signal, log: context.log });
  try {
    const api = createDiscordApi(rest, createFaultReport(config.token));
    const identity = await readIdentity(api);
    const findings = [
      ...inspectIntent(identity, context.needsAllMessages),
      ...(await inspectSessions(api)),
      ...(await inspectCommands(api, identity, context)),
      ...(await inspectChannels(api, identity, context)),
      { level: "note", text: `invite it to a server with ${buildInviteLink(identity.applicationId, config)}` } as const,
    ];
    const platformNow = platformTime.now();
    return {
      identity: identity.username,
      findings,
      ...(platformNow === undefined ? {} : { clockAheadMs: clock.now() - platformNow }),
    };
  } finally {
    closeRestClient(rest);
  }
}

function inspectIntent({ hearsContent }: DiscordIdentity, needsAllMessages: boolean): readonly AccountFinding[] {
  if (hearsContent) return [{ level: "note", text: "the Message Content intent is on: it gets every message" }];
  const text = "the Message Content intent is off: the bot gets only mentions and direct messages";
  if (!needsAllMessages) return [{ level: "warning", text, cure: CONTENT_CURE }];
  return [{ level: "error", text: `${text}, but groups.requireMention is false`, cure: CONTENT_CURE }];
}

async function inspectSessions(api: DiscordApi): Promise<readonly AccountFinding[]> {
  const answer = await api.call({ method: "get", route: "/gateway/bot", attempt: "Asking Discord for its gateway" });
  const limit = gateway.safeParse(answer).data?.session_start_limit;
  if (limit === undefined || limit.remaining >= FEW_SESSIONS) return [];
  const hours = (limit.reset_after / 3_600_000).toFixed(1);
  const text = `only ${limit.remaining} more starts are allowed within ${hours} h`;
  return [{ level: "warning", text, cure: "find out what starts again and again with this token" }];
}

async function inspectCommands(
  api: DiscordApi,
  { applicationId }: DiscordIdentity,
  { commands }: InspectContext<DiscordConfig>,
): Promise<readonly AccountFinding[]> {
  if (commands.length === 0) return [];
  const route = `/applications/${applicationId}/commands` as const;
  const answer = await api.call({ method: "get", route, attempt: "Asking Discord for the slash commands" });
  const known = new Set((commandList.safeParse(answer).data ?? []).map(({ name }) => name));
  const missing = buildSlashCommands(commands).filter(({ name }) => !known.has(name));
  if (missing.length === 0) return [{ level: "note", text: `${known.size} slash commands are registered` }];
  const text = `slash commands are not registered: ${missing.map(({ name }) => `/${name}`).join(", ")}`;
  return [{ level: "warning", text, cure: "the gateway registers them when it starts; start it once" }];
}
