import type { ChannelCommand, Log } from "@banyan/plugin-sdk";
import type { NewPairing } from "@banyan/store";
import type { Command } from "./commands/command.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import type { GatewaySubagents } from "./gateway-subagents.ts";
import { ANSWER_FACE } from "./inbound/commands/answer.ts";
import { CONTROL_COMMANDS } from "./inbound/commands/control.ts";
import { createLinkCommands, LINK_FACES } from "./inbound/commands/link.ts";
import { QUEUE_FACE } from "./inbound/commands/queue.ts";
import { CommandRegistry, listChannelCommands } from "./inbound/commands.ts";
import { formatOneTimeCode } from "./inbound/pairing.ts";
import { Inbound, type InboundParts } from "./inbound/receive.ts";
import type { RouteState } from "./inbound/route-state.ts";
import { SUBAGENT_FACES } from "./subagents/commands/command-faces.ts";

/** Lists the host's commands in the order in which they are shown. */
export function listCommands(
  { own, commands }: Pick<GatewaySubagents, "own" | "commands">,
  { ports, identityLinks: configuredLinks, agents, checkRoutes }: GatewayOptions,
  routeState: RouteState,
): readonly Command[] {
  const agentIds = Object.keys(agents);
  const links = createLinkCommands({ ports, routeState, configuredLinks, agentIds, checkRoutes });
  return [...CONTROL_COMMANDS, ...own, ...commands, ...links];
}

/** The same as channels show them, without a gateway. */
export function listHostCommands(): readonly ChannelCommand[] {
  return listChannelCommands([
    ...CONTROL_COMMANDS,
    ANSWER_FACE,
    QUEUE_FACE,
    ...Object.values(SUBAGENT_FACES),
    ...LINK_FACES,
  ]);
}

export interface GatewayInboundParts extends Omit<InboundParts, "commands" | "onPairing"> {
  readonly commands: readonly Command[];
  readonly onPairing: GatewayOptions["onPairing"];
}

/** Builds the inbound flow with the host's commands. */
export function buildInbound({ commands, onPairing, ...parts }: GatewayInboundParts): Inbound {
  return new Inbound({
    ...parts,
    commands: new CommandRegistry(commands),
    onPairing: (pairing) => notifyPairing(pairing, parts.ports.log, onPairing),
  });
}

/** The request is stored already: an error in the embedding program must not undo it. */
function notifyPairing(pairing: NewPairing, log: Log, onPairing: GatewayOptions["onPairing"]): void {
  const { channel, account, senderId, code } = pairing;
  log.info({ channel, account, sender: senderId, code: formatOneTimeCode(code) }, "a stranger asks to be let in");
  try {
    onPairing?.(pairing);
  } catch (error) {
    log.error({ err: error }, "a stranger's code was not shown; banyan pair list has it");
  }
}
