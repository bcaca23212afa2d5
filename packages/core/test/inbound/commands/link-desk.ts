import type { Command } from "../../../src/commands/command.ts";
import { CONTROL_COMMANDS } from "../../../src/inbound/commands/control.ts";
import { createLinkCommands } from "../../../src/inbound/commands/link.ts";
import { parseIdentityLinks } from "../../../src/sessions/keys/identity-links.ts";
import { CoreDesk, type CoreDeskOptions } from "../../turns/core-desk.ts";

export function linkCommands(desk: CoreDesk, options: CoreDeskOptions = {}): readonly Command[] {
  const { ports, routeState } = desk;
  const { checkRoutes } = options;
  return createLinkCommands({
    ports,
    routeState,
    configuredLinks: parseIdentityLinks({}),
    agentIds: ["main"],
    checkRoutes,
  });
}

export async function openDesk(options: CoreDeskOptions = {}): Promise<CoreDesk> {
  const commands = (desk: CoreDesk) => [...CONTROL_COMMANDS, ...linkCommands(desk, options)];
  return new CoreDesk({ ...options, commands }).connect();
}

export async function askCode(desk: CoreDesk, person: string): Promise<string> {
  await desk.says("/link", person);
  const [, code = "none"] = /\*\*(.{4}-.{4})\*\*/.exec(desk.heard(person).at(-1) ?? "") ?? [];
  return code;
}

/** Ada and Bob are the two accounts of one person. */
export async function linkBoth(desk: CoreDesk): Promise<string> {
  await desk.says(`/link ${await askCode(desk, "ada")}`, "bob");
  const [, name = "none"] = /under the name `(\w+)`/.exec(desk.heard("bob").at(-1) ?? "") ?? [];
  return name;
}

export const writerPlace = { channel: "irc", account: "default" };

/** The operator's own word. */
export async function nameAccount(desk: CoreDesk, peer: string, person: string): Promise<void> {
  const { revision: routeRevision } = await desk.store.read.routes();
  const audit = { actor: "operator", action: "link-add", detail: "" };
  await desk.store.commit({ step: "set_links", routeRevision, writes: [{ channel: "irc", peer, person }], audit });
}
