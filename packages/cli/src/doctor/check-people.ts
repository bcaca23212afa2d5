import { checkLinkedWriters, type GatewayChannel, type LoadedConfig, parseIdentityLinks } from "@banyan/core";
import type { RouteSnapshot, StoreReads } from "@banyan/plugin-sdk/store";
import { createRouteCheck } from "../gateway/route-check.ts";
import { readState } from "../state/read-state.ts";
import { countOf } from "../terminal/count-of.ts";
import { buildErrorFinding, type Finding } from "./finding.ts";

const SUBJECT = "people";
const MOST_PENDING = 100;

/**
 * Who is let in and who is whom: whether a start would refuse what is stored, who waits to be let in, and which chats of
 * the configuration have moved.
 */
export async function checkPeople(
  loaded: LoadedConfig,
  channels: readonly GatewayChannel[],
): Promise<readonly Finding[]> {
  if (loaded.config.store.driver === "memory") return [];
  return (await readState(loaded.config, (read) => examine(read, loaded, channels))) ?? [];
}

async function examine(
  read: StoreReads,
  { config }: LoadedConfig,
  channels: readonly GatewayChannel[],
): Promise<readonly Finding[]> {
  const routes = await read.routes();
  const findings: Finding[] = [];
  const judge = async (check: () => unknown) => {
    try {
      await check();
    } catch (error) {
      findings.push(buildErrorFinding(SUBJECT, error));
    }
  };
  await judge(() => createRouteCheck(config, channels, read)(routes));
  const links = parseIdentityLinks(config.session.identityLinks);
  await judge(() => checkLinkedWriters({ read }, links, Object.keys(config.agents)));
  const pending = await read.pairings({ states: ["pending"], limit: MOST_PENDING });
  const asking = pending.length === 0 ? "" : `, ${pending.length} asking: banyan pair list`;
  const text = `${countOf(routes.approved.length, "sender")} let in by code, ${countOf(routes.links.length, "account")} linked${asking}`;
  return [{ subject: SUBJECT, level: "ok", text }, ...findings, ...listMoved(config.channels, routes)];
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
