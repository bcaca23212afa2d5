import type { Command } from "../../../src/commands/command.ts";
import { CONTROL_COMMANDS } from "../../../src/inbound/commands/control-commands.ts";
import { LINK_COMMANDS } from "../../../src/inbound/commands/link-commands.ts";
import { CoreDesk } from "../../turns/core-desk.ts";

export const COMMANDS: readonly Command[] = [...CONTROL_COMMANDS, ...LINK_COMMANDS];

export async function openDesk(): Promise<CoreDesk> {
  return new CoreDesk({ commands: COMMANDS }).connect();
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
