import type { AddedLink, Config, RemovedLink } from "@banyan/core";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { operateLinks } from "../state/operate-links.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

export interface LinkAddOptions extends GlobalOptions {
  readonly name?: string;
  readonly json?: boolean;
}

/** `banyan link add`: these accounts are one person. */
export async function linkAdd(accounts: readonly string[], options: LinkAddOptions): Promise<void> {
  const loaded = await loadStateConfig(options.config);
  const added = await operateLinks(loaded, (links) => links.add(accounts, options.name), "create");
  if (options.json) return writeJson(added);
  await writeLines([...formatAdded(added), ...describeEffect(loaded.config)]);
}

/** `banyan link remove`: an account is on its own again. */
export async function linkRemove(account: string, options: GlobalOptions & { readonly json?: boolean }): Promise<void> {
  const loaded = await loadStateConfig(options.config);
  const removed = await operateLinks(loaded, (links) => links.remove(account));
  if (options.json) return writeJson(removed);
  await writeLines(formatRemoved(removed));
}

export function formatAdded({ person, accounts, isOld }: AddedLink): readonly string[] {
  return [`  ${accounts.join(" and ")} ${isOld ? "were" : "are"} linked as ${person}${isOld ? " already" : ""}`];
}

export function formatRemoved({ account, person, goesOnAs, alone }: RemovedLink): readonly string[] {
  const goesOn = `  the others go on as ${goesOnAs}; what was said as ${person} is kept, and no one continues it`;
  return [
    `  ${account} is on its own again`,
    ...(goesOnAs === undefined || goesOnAs === person ? [] : [goesOn]),
    ...(alone === undefined ? [] : [`  so is ${alone}, which was the only other one`]),
  ];
}

/** Where all direct chats share one conversation, links still say how many people do. */
export function describeEffect({ session }: Pick<Config, "session">): readonly string[] {
  const isShared = session.scope === "global" || session.dmScope === "main";
  return isShared
    ? [
        "  all direct chats are one conversation here anyway; the accounts count as one person there, so each may be let in",
      ]
    : [];
}
