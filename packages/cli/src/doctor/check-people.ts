import { checkLinkedWriters, type GatewayChannel, type LoadedConfig, parseIdentityLinks } from "@banyan/core";
import type { RouteSnapshot, StoreReads } from "@banyan/store";
import { createRouteCheck, type WrittenReads } from "../gateway/route-check.ts";
import { readState } from "../state/read-state.ts";
import { countOf } from "../terminal/count-of.ts";
import { buildErrorFinding, type Finding } from "./finding.ts";

const SUBJECT = "people";
const MOST_PENDING = 100;
/** Nothing was ever stored. */
const NOBODY: RouteSnapshot = { revision: 0, approved: [], links: [], chatMoves: [], bindings: [] };
const NOTHING: WrittenReads = { writers: async () => [], session: async () => undefined };

/**
 * Who is let in and who is whom: whether a start would refuse what is stored, who waits to be let in, and which chats of
 * the configuration have moved.
 */
export async function checkPeople(
  loaded: LoadedConfig,
  channels: readonly GatewayChannel[],
): Promise<readonly Finding[]> {
  if (loaded.config.store.driver === "memory") return [];
  const found = await readState(loaded.config, (read) => examine(read, loaded, channels));
  return found ?? (await judge(() => createRouteCheck(loaded.config, channels, NOTHING)(NOBODY)));
}

/** What a start would refuse, as a finding. */
async function judge(check: () => unknown): Promise<readonly Finding[]> {
  try {
    await check();
    return [];
  } catch (error) {
    return [buildErrorFinding(SUBJECT, error)];
  }
}

async function examine(
  read: StoreReads,
  { config }: LoadedConfig,
  channels: readonly GatewayChannel[],
): Promise<readonly Finding[]> {
  const routes = await read.routes();
  const links = parseIdentityLinks(config.session.identityLinks);
  const refusals = [
    ...(await judge(() => createRouteCheck(config, channels, read)(routes))),
    ...(await judge(() => checkLinkedWriters({ read }, links, Object.keys(config.agents)))),
  ];
  const pending = await read.pairings({ states: ["pending"], limit: MOST_PENDING });
  const asking = pending.length === 0 ? "" : `, ${pending.length} asking: banyan pair list`;
  const text = `${countOf(routes.approved.length, "sender")} let in by code, ${countOf(routes.links.length, "account")} linked${asking}`;
  return [{ subject: SUBJECT, level: "ok", text }, ...refusals, ...listMoved(config.channels, routes)];
}

/** The old id still works; whoever reads the file should know the new one. */
function listMoved(channels: LoadedConfig["config"]["channels"], { chatMoves }: RouteSnapshot): readonly Finding[] {
  return chatMoves.flatMap(({ channel, fromChat, toChat }) =>
    Object.entries(channels[channel]?.accounts ?? {})
      .filter(([, { groups }]) => groups.allow.includes(fromChat))
      .map(([account]) => ({
        subject: SUBJECT,
        level: "warning" as const,
        text: `the chat ${fromChat} has moved to ${toChat}, and the configuration names the old id`,
        cure: `write "${toChat}" in channels.${channel}.accounts.${account}.groups.allow`,
      })),
  );
}
