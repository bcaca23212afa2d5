import { isAddress, parseAddress } from "@banyan/plugin-sdk";
import type { ItemRow } from "@banyan/store";
import { buildLinkBook } from "../access/link-book.ts";
import { createOneTimeCode, parseOneTimeCode } from "../access/one-time-code.ts";
import { type Command, type CommandContext, type CommandOrder, isTyped } from "../commands/command.ts";
import { type LinkFacts, readLinkFacts } from "../commands/link-facts.ts";
import { findNearestWord } from "../config/problems/nearest-word.ts";
import { parseItemBody } from "../lanes/item-body.ts";
import type { TargetAnswers } from "../runs/delivery-target.ts";
import { readUnfinishedBelow } from "../runs/read-runs-below.ts";
import { createPersonName } from "../sessions/keys/person-name.ts";
import { parseSessionRow } from "../sessions/session-record.ts";
import { type ChatCommand, parseChatCommand } from "./chat-command.ts";
import type { CommandParts } from "./command-parts.ts";

/** As many as a lane takes, and the one that runs. */
const MOST_OPEN_MESSAGES = 1_001;

export function findCommand(text: string, parts: Pick<CommandParts, "commands" | "commandNames">): Command {
  const parsed = parseChatCommand(text, parts.commandNames);
  const command = parts.commands.find(
    ({ name, aliases }) => name === parsed?.name || aliases?.includes(parsed?.name ?? ""),
  );
  return command ?? buildUnknownCommand(parsed ?? { name: text.trim().slice(1), rest: "" });
}

/** Answers a command that does not exist, or no longer, with the most similar one. */
function buildUnknownCommand({ name, rest }: Pick<ChatCommand, "name" | "rest">): Command {
  return {
    name,
    usage: `/${name}`,
    summary: "not a command",
    decide({ commands }) {
      const known = commands.flatMap(({ name: own, aliases = [] }) => [own, ...aliases]);
      const nearest = findNearestWord(name, known);
      const hint = nearest === undefined ? "" : ` Did you mean \`/${nearest}\`?`;
      // Such as `/tmp is full`.
      const way = rest === "" ? "" : " To send this to the agent, start with a word instead of the slash.";
      return { answer: `Unknown command \`/${name}\`.${hint} \`/help\` lists all commands.${way}` };
    },
  };
}

/** Whether the command may wait for what others do. */
export function mayWait(
  { body }: Pick<ItemRow, "body">,
  parts: Pick<CommandParts, "commands" | "commandNames">,
): boolean {
  const { text } = parseItemBody(body);
  const rest = parseChatCommand(text, parts.commandNames)?.rest ?? "";
  return findCommand(text, parts).waits?.(rest) ?? false;
}

export async function readCommandContext(
  item: ItemRow,
  answers: TargetAnswers,
  parts: CommandParts,
): Promise<CommandOrder> {
  const { store, ports } = parts;
  const { lane: key, seq, address } = item;
  const body = parseItemBody(item.body);
  const command = findCommand(body.text, parts);
  const rest = parseChatCommand(body.text, parts.commandNames)?.rest ?? "";
  const below = command.readsSubagents ? await readUnfinishedBelow(key, store.read) : undefined;
  // The lane is read last: a turn that ends after this read is awaited by the stop.
  const [row, lane, hasFollowUp, counts] = await Promise.all([
    store.read.session(key),
    store.read.lane(key),
    command.takesMessage === true && rest !== "" && readHasFollowUp(item, body.id, parts),
    command.readsUndelivered ? store.read.counts() : undefined,
  ]);
  if (row === undefined) throw new Error(`The command ${seq} was run: there is no session ${key}`);
  const record = parseSessionRow(row);
  const { id, runtime } = parts.getAgent(record);
  const order: CommandOrder = {
    seq,
    answerId: ports.createId(),
    record,
    lane,
    address: isAddress(address) ? address : undefined,
    body,
    rest,
    hasFollowUp,
    agent: { id, runtime },
    commands: parts.commands,
    ...(counts === undefined ? {} : { undelivered: counts.unsettledDeliveries }),
    ...(below === undefined ? {} : { subagents: below.length }),
    now: ports.clock.now(),
    answers,
  };
  if (!command.readsLinks || !isTyped(order)) return order;
  return { ...order, links: await readLinks(order, parts) };
}

/** Whether the message that the command carries waits. */
async function readHasFollowUp(
  { lane, seq }: ItemRow,
  id: string,
  { store }: Pick<CommandParts, "store">,
): Promise<boolean> {
  const open = await store.read.openItems({ lane, kinds: ["message"], limit: MOST_OPEN_MESSAGES });
  const later = open.filter((item) => item.seq > seq).map(({ body }) => parseItemBody(body));
  return later.some((body) => body.isFollowUp === true && body.id === id);
}

async function readLinks({ address, body, rest }: CommandContext, parts: CommandParts): Promise<LinkFacts> {
  const { store, ports, routeState, configuredLinks, agentIds } = parts;
  // The effect is refused on an older picture, so it is taken anew here.
  const { revision, stored } = await routeState.refresh();
  return readLinkFacts(store.read, {
    revision,
    book: buildLinkBook(configuredLinks, stored),
    self: { channel: parseAddress(address).channel, peer: body.sender.id.trim() },
    code: parseOneTimeCode(rest),
    agents: agentIds,
    newCode: createOneTimeCode(ports),
    newName: createPersonName(ports),
  });
}
