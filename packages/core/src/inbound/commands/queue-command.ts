/** `/queue`: what waits in a conversation, and what a message does that arrives while a turn of it runs. */
import type { Address } from "@banyan/plugin-sdk";
import type { ItemRow, Store } from "@banyan/plugin-sdk/store";
import {
  type Command,
  type CommandContext,
  type CommandDecision,
  type CommandFace,
  isRunning,
} from "../../commands/command.ts";
import {
  DROP_POLICIES,
  parseQueueSetting,
  QUEUE_MODES,
  type QueueRules,
  type QueueSetting,
} from "../../config/shapes/queue-config.ts";
import { HIGHEST_PRIORITY, LOWEST_PRIORITY, listClaimable, readPriority, sortBacklog } from "../../lanes/backlog.ts";
import { formatInnerBody, parseItemBody } from "../../lanes/item-body.ts";
import type { SessionRecord } from "../../sessions/session-record.ts";

export interface QueueParts {
  readonly store: Pick<Store, "read">;
  getQueueRules(session: Partial<Pick<SessionRecord, "entry">>, address: Address): QueueRules;
}

const MOST_SHOWN = 20;
const SHORT_CHARS = 60;
const LARGEST_CAP = 1_000;
const LONGEST_DEBOUNCE_MS = 60_000;
const WAYS = `\`/queue ${QUEUE_MODES.join("|")}|default\`, \`/queue debounce <ms>\`, \`/queue cap <number>\`, \`/queue drop ${DROP_POLICIES.join("|")}\`, \`/queue priority <number> <1-10>\``;

export const QUEUE_FACE: CommandFace = {
  name: "queue",
  usage: "/queue [mode|debounce|cap|drop|priority …]",
  summary: "what waits here, and what a message does while I work",
  parameters: [
    {
      name: "setting",
      summary: "a mode, or what to set; without it the queue is shown",
      isRequired: false,
      kind: "text",
      choices: [...QUEUE_MODES, "default", "debounce", "cap", "drop", "priority"],
    },
    { name: "value", summary: "what it is set to", isRequired: false, kind: "text" },
  ],
};

export function createQueueCommand(parts: QueueParts): Command {
  return { ...QUEUE_FACE, decide: (context) => decideQueue(context, parts) };
}

async function decideQueue(context: CommandContext, parts: QueueParts): Promise<CommandDecision> {
  const [word = "", ...values] = context.rest.toLowerCase().split(/\s+/);
  const waiting = await readWaiting(context, parts);
  if (word === "") return { answer: formatQueue(context, waiting, parts) };
  if (word === "priority") return decidePriority(waiting, values);
  const setting = parseSetting(word, values);
  if (setting === undefined) return { answer: `\`/queue ${context.rest.replaceAll("`", "'")}\` is none of ${WAYS}.` };
  const { entry } = context.record;
  const queueOverride = setting === "default" ? undefined : { ...parseQueueSetting(entry.queueOverride), ...setting };
  const { queueOverride: _, ...rest } = entry;
  const changed = queueOverride === undefined ? rest : { ...rest, queueOverride };
  const rules = parts.getQueueRules({ entry: changed }, context.address);
  return { answer: `Set for this conversation: ${formatRules(rules)}.`, entry: changed };
}

async function readWaiting({ record }: CommandContext, { store }: QueueParts): Promise<readonly ItemRow[]> {
  const open = await store.read.openItems({ lane: record.key, kinds: ["message", "nested", "completion"], limit: 200 });
  return sortBacklog(listClaimable(open));
}

/** `undefined`: it is none. */
function parseSetting(word: string, [value]: readonly string[]): QueueSetting | "default" | undefined {
  if (word === "default" && value === undefined) return "default";
  const mode = value === undefined ? QUEUE_MODES.find((known) => known === word) : undefined;
  if (mode !== undefined) return { mode };
  const drop = DROP_POLICIES.find((known) => known === value);
  if (word === "drop" && drop !== undefined) return { drop };
  const number = value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
  if (number === undefined) return undefined;
  if (word === "debounce" && number <= LONGEST_DEBOUNCE_MS) return { debounceMs: number };
  return word === "cap" && number >= 1 && number <= LARGEST_CAP ? { cap: number } : undefined;
}

/** It may be begun by now: then nothing of it is changed. */
function decidePriority(waiting: readonly ItemRow[], [at, to]: readonly string[]): CommandDecision {
  const item = /^\d{1,3}$/.test(at ?? "") ? waiting[Number(at) - 1] : undefined;
  const priority = /^\d{1,2}$/.test(to ?? "") ? Number(to) : 0;
  if (item === undefined || priority < LOWEST_PRIORITY || priority > HIGHEST_PRIORITY)
    return {
      answer: `Say which one, and how urgent it is from 1 to 10: \`/queue priority 2 8\`. ${waiting.length} wait here.`,
    };
  if (item.kind !== "message") return { answer: "That one is a sub-agent's; its place is its own." };
  const body = formatInnerBody({ ...parseItemBody(item.body), priority });
  return {
    answer: `${formatItem(item)} has the priority ${priority} now, where the mode is \`steer-backlog\`.`,
    effect: { written: { amend: { seq: item.seq, body } }, settle: () => undefined, abandon: async () => undefined },
  };
}

function formatQueue(context: CommandContext, waiting: readonly ItemRow[], parts: QueueParts): string {
  const rules = parts.getQueueRules(context.record, context.address);
  const shown = waiting.slice(0, MOST_SHOWN).map((item, at) => {
    const priority = readPriority(item);
    const state = priority === 5 ? "queued" : `prioritized, ${priority}`;
    return `${at + 1}. ${formatItem(item)} (${state})`;
  });
  const more = waiting.length - shown.length;
  return [
    `${isRunning(context) ? "I am working" : "Nothing runs"}; ${waiting.length} waiting. ${formatRules(rules)}.`,
    ...shown,
    ...(more > 0 ? [`… and ${more} more`] : []),
  ].join("\n");
}

function formatRules({ mode, debounceMs, cap, drop }: QueueRules): string {
  const shown = mode === undefined ? "`steer` where the agent can, else `followup`" : `\`${mode}\``;
  return `Mode ${shown}, debounce ${debounceMs} ms, at most ${cap} wait, beyond that \`${drop}\``;
}

function formatItem({ body, kind }: ItemRow): string {
  const { text, completion } = parseItemBody(body);
  if (completion !== undefined) return `the result of ${completion.label ?? "a sub-agent"}`;
  const line = text.trim().replaceAll(/\s+/g, " ").replaceAll("`", "'");
  const short = line.length > SHORT_CHARS ? `${line.slice(0, SHORT_CHARS).toWellFormed()}…` : line;
  return kind === "nested" ? `an agent's “${short}”` : `“${short}”`;
}
