import { type BookedLink, buildLinkBook, formatPeerAccount, parseIdentityLinks } from "@banyan/core";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { readState } from "../state/read-state.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

const TITLES: readonly string[] = ["PERSON", "ACCOUNT", "BY"];

/** `banyan link list`: who is whom, by the configuration and by what people and operators linked. */
export async function linkList(options: GlobalOptions & { readonly json?: boolean }): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const stored = (await readState(config, (read) => read.routes()))?.links ?? [];
  const book = buildLinkBook(parseIdentityLinks(config.session.identityLinks), stored);
  const links = book.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
  if (options.json)
    return writeJson(
      links.map((link) => ({
        person: link.person,
        account: formatPeerAccount(link),
        source: link.isConfigured ? "configuration" : "stored",
      })),
    );
  await writeLines(formatLinks(links, process.stdout));
}

export function formatLinks(links: readonly BookedLink[], stream: NodeJS.WritableStream): readonly string[] {
  if (links.length === 0) return ["  no linked accounts: /link in a direct chat links one, or banyan link add"];
  const rows = links.map((link) => [
    link.person,
    formatPeerAccount(link),
    link.isConfigured ? `session.identityLinks.${link.person}` : "link",
  ]);
  return formatTable(TITLES, rows, stream);
}

function sortKey(link: BookedLink): string {
  return `${link.person} ${formatPeerAccount(link)}`;
}
