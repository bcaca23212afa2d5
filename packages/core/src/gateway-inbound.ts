import type { ChannelCommand, Log } from "@banyan/plugin-sdk";
import type { NewPairing } from "@banyan/store";
import { formatOneTimeCode } from "./access/one-time-code.ts";
import type { RouteState } from "./access/route-state.ts";
import type { Command } from "./commands/command.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import type { GatewaySubagents } from "./gateway-subagents.ts";
import { ANSWER_FACE } from "./inbound/commands/answer-command.ts";
import { listChannelCommands } from "./inbound/commands/channel-command.ts";
import { CONTROL_COMMANDS } from "./inbound/commands/control-commands.ts";
import { LINK_COMMANDS } from "./inbound/commands/link-commands.ts";
import { QUEUE_FACE } from "./inbound/commands/queue-command.ts";
import { Inbound } from "./inbound/inbound.ts";
import type { RouteTable } from "./inbound/route-message.ts";
import type { LaneScheduler } from "./lanes/lane-scheduler.ts";
import type { IdentityLinks } from "./sessions/keys/identity-links.ts";
import { SUBAGENT_FACES } from "./subagents/commands/command-faces.ts";
import type { TurnParts } from "./turns/turn-parts.ts";
import type { Turns } from "./turns/turns.ts";

/** The host's commands, in the order in which they are shown. */
export function listCommands({ own, commands }: Pick<GatewaySubagents, "own" | "commands">): readonly Command[] {
  return [...CONTROL_COMMANDS, ...own, ...commands, ...LINK_COMMANDS];
}

/** The same as channels show them, without a gateway. */
export function listHostCommands(): readonly ChannelCommand[] {
  return listChannelCommands([
    ...CONTROL_COMMANDS,
    ANSWER_FACE,
    QUEUE_FACE,
    ...Object.values(SUBAGENT_FACES),
    ...LINK_COMMANDS,
  ]);
}

export interface GatewayInboundParts extends TurnParts {
  readonly turns: Turns;
  readonly lanes: LaneScheduler;
  readonly routes: RouteTable;
  readonly routeState: RouteState;
  readonly onPairing: GatewayOptions["onPairing"];
  readonly configuredLinks: IdentityLinks;
  readonly checkRoutes: GatewayOptions["checkRoutes"];
  readonly agentIds: readonly string[];
  readonly commands: readonly Command[];
}

/** Joins the way in with the host's commands. */
export function buildInbound({ turns, onPairing, ...parts }: GatewayInboundParts): Inbound {
  const { commands } = parts;
  return new Inbound({
    ...parts,
    commandNames: listNames(commands),
    commandsWithMessage: listNames(commands.filter(({ takesMessage }) => takesMessage)),
    stopTurn: (lane, isClaimed) => turns.stop(lane, isClaimed),
    onPairing: (pairing) => tellPairing(pairing, parts.ports.log, onPairing),
  });
}

/** The message is stored by now: a program that fails to hear of it must not undo that. */
function tellPairing(pairing: NewPairing, log: Log, onPairing: GatewayOptions["onPairing"]): void {
  const { channel, account, senderId, code } = pairing;
  log.info({ channel, account, sender: senderId, code: formatOneTimeCode(code) }, "a stranger asks to be let in");
  try {
    onPairing?.(pairing);
  } catch (error) {
    log.error({ err: error }, "a stranger's code was not shown; banyan pair list has it");
  }
}

function listNames(commands: readonly Command[]): ReadonlySet<string> {
  return new Set(commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
}
