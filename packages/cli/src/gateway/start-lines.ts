import { formatOneTimeCode, formatPlainLine } from "@banyan/core";
import type { NewPairing } from "@banyan/store";
import { wrapHanging } from "../terminal/wrap-text.ts";
import { describeAgent } from "./model-agents.ts";
import type { ListeningGateway, OpenGateway } from "./open-gateway.ts";

const NAME_WIDTH = 11;
/** Where the text of a marked line begins. */
const TEXT_COLUMN = NAME_WIDTH + 5;
const MARKED = /^ {2}[●○✗] /;

/** Start lines as a terminal of so many columns shows them; `undefined`: there is none. */
export function wrapStartLines(lines: readonly string[], columns: number | undefined): readonly string[] {
  return lines.flatMap((line) => wrapHanging(line, MARKED.test(line) ? TEXT_COLUMN : 2, columns));
}

/** What a start says first: whose it is, and where the web chat is. */
export function formatListeningLines({ loaded, gateway, token, version }: ListeningGateway): readonly string[] {
  const { config } = loaded;
  return [
    `  Banyan ${version} · state ${config.stateDir} · ${config.store.driver}`,
    formatLine("●", "web chat", `${gateway.url}/?token=${token}   (open it in a browser)`),
  ];
}

/** What a start says in the end: what else is on, and how to switch on the rest. */
export function formatReadyLines({ loaded, gateway, tookMs, idle, pairings }: OpenGateway): readonly string[] {
  const { config } = loaded;
  const { accounts } = gateway.health();
  return [
    ...Object.entries(accounts)
      .filter(([name]) => !name.startsWith("webchat/"))
      .map(([name, { state, detail }]) => formatLine(state === "running" ? "●" : "✗", name, detail ?? state)),
    ...idle.map(({ channel, hint }) => formatLine("○", channel, `off: ${hint}`)),
    ...Object.entries(config.agents).map(([id, agent]) => formatLine("●", `agent ${id}`, describeAgent(agent, config))),
    ...pairings.map(formatPairingLine),
    `  Ready in ${(tookMs / 1000).toFixed(1)} s. Ctrl-C stops; nothing is lost.`,
  ];
}

/** What a start says of a stranger, when his code waits and whenever one gets a code. */
export function formatPairingLine(pairing: Omit<NewPairing, "ttlMs" | "mostPending">): string {
  const { channel, account, senderId, displayName, code } = pairing;
  const name = formatPlainLine(displayName ?? "");
  const id = formatPlainLine(senderId);
  // In quotes, so that no name reads as a line of the gateway's own.
  const who = name === "" ? id : `${JSON.stringify(name)} (${id})`;
  return `  ? ${who} on ${channel}/${account} wants in: banyan pair approve ${formatOneTimeCode(code)}`;
}

function formatLine(mark: string, name: string, text: string): string {
  return `  ${mark} ${name.padEnd(NAME_WIDTH)} ${text}`;
}
