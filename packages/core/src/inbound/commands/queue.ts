/** `/queue`: shows what waits in a session, and sets what happens to a message that arrives while a turn runs. */
import type { Address } from "@banyan/plugin-sdk";
import type { ItemRow } from "@banyan/store";
import {
  type Command,
  type CommandContext,
  type CommandDecision,
  type CommandFace,
  isRunning,
} from "../../commands/command.ts";
import { RESUME_PLACES } from "../../config/shapes/interrupt-setting.ts";
import {
  DROP_POLICIES,
  type DropPolicy,
  parseQueueSetting,
  QUEUE_MODES,
  type QueueRules,
  type QueueSetting,
} from "../../config/shapes/queue-config.ts";
import { THINKING_LEVELS } from "../../config/shapes/thinking-level.ts";
import { HIGHEST_PRIORITY, LOWEST_PRIORITY, listClaimable, sortBacklog } from "../../lanes/backlog.ts";
import { parseItemBody } from "../../lanes/item-body.ts";
import type { SessionRecord } from "../../sessions/session-record.ts";
import type { LiveFacts, QueueState, TurnState } from "../../turns/states/queue-state.ts";
import { readQueueState } from "../../turns/states/read-queue-state.ts";

export interface QueueParts {
  getQueueRules(session: Partial<Pick<SessionRecord, "entry">>, address: Address): QueueRules;
  /** What this process knows of a lane's turn and the store does not. */
  findLive(lane: string): LiveFacts;
  /** The models that may be named; `undefined`: the runtime did not answer. */
  listModels(runtime: string): Promise<readonly string[] | undefined>;
}

const MAX_SHOWN_ITEMS = 20;
const MAX_ITEM_CHARS = 60;
const MAX_SHOWN_MODELS = 10;
const MAX_READ_ITEMS = 200;
const MAX_CAP = 1_000;
const MAX_DEBOUNCE_MS = 60_000;

const QUEUE_WAYS: string = [
  `\`/queue ${QUEUE_MODES.join("|")}|default\``,
  "`/queue debounce <ms>`",
  "`/queue cap <number>`",
  `\`/queue drop ${DROP_POLICIES.join("|")}\``,
  "`/queue priority <number> <1-10>`",
  `\`/queue interrupt ${RESUME_PLACES.join("|")}\``,
  "`/queue interrupt model <name>|default`",
  "`/queue interrupt thinking <level>|default`",
].join(", ");

export const QUEUE_FACE: CommandFace = {
  name: "queue",
  usage: "/queue [mode|debounce|cap|drop|priority|interrupt …]",
  summary: "show or change the message queue",
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
  const words = readWords(context.rest);
  if (words.length === 0) return { answer: await formatQueue(context, parts) };
  if (words[0]?.toLowerCase() === "priority") return decidePriority(await readWaiting(context), words.slice(1));
  const setting = parseSetting(words);
  if (setting === undefined)
    return { answer: `\`/queue ${context.rest.replaceAll("`", "'")}\` is none of ${QUEUE_WAYS}.` };
  const refusal = setting === "default" ? undefined : await refuseModel(setting.interrupt?.model, context, parts);
  if (refusal !== undefined) return { answer: refusal };
  const { entry } = context.record;
  const queueOverride =
    setting === "default" ? undefined : mergeSetting(parseQueueSetting(entry.queueOverride), setting);
  const { queueOverride: _, ...rest } = entry;
  const changed = queueOverride === undefined ? rest : { ...rest, queueOverride };
  const rules = parts.getQueueRules({ entry: changed }, context.address);
  return { answer: `Set for this conversation. ${formatRules(rules)}`, entry: changed };
}

/** Only a model that the operator has named may be set: people in the chat must not choose what is paid for. */
async function refuseModel(
  model: string | undefined,
  { agent }: CommandContext,
  { listModels }: QueueParts,
): Promise<string | undefined> {
  if (model === undefined) return undefined;
  const models = await listModels(agent.runtime);
  if (models?.includes(model)) return undefined;
  const named = `\`${model.replaceAll("`", "'")}\``;
  if (models === undefined) return `The models cannot be listed now, so ${named} is not set. Try again in a moment.`;
  if (models.length === 0) return `This agent has no choice of models, so ${named} is not set.`;
  const shown = models.slice(0, MAX_SHOWN_MODELS).map((each) => `\`${each}\``);
  return `${named} is none of the models here: ${shown.join(", ")}${models.length > shown.length ? ", …" : ""}.`;
}

async function readWaiting({ record, read }: CommandContext): Promise<readonly ItemRow[]> {
  const open = await read.openItems({
    lane: record.key,
    kinds: ["message", "nested", "completion"],
    limit: MAX_READ_ITEMS,
  });
  return sortBacklog(listClaimable(open));
}

/** If the item has begun by then, the store leaves it unchanged. */
function decidePriority(waiting: readonly ItemRow[], [at, to]: readonly string[]): CommandDecision {
  const item = /^\d{1,3}$/.test(at ?? "") ? waiting[Number(at) - 1] : undefined;
  const priority = /^\d{1,2}$/.test(to ?? "") ? Number(to) : 0;
  if (item === undefined || priority < LOWEST_PRIORITY || priority > HIGHEST_PRIORITY)
    return {
      answer: `Say which one, and how urgent it is from 1 to 10: \`/queue priority 2 8\`. ${waiting.length} wait here.`,
    };
  if (item.kind !== "message") return { answer: "That one is a sub-agent's; its place is its own." };
  return {
    answer: `${formatItem(item)} has the priority ${priority} now, where the mode is \`steer-backlog\`.`,
    effect: {
      written: { prioritize: { seq: item.seq, priority } },
      settle: () => undefined,
      abandon: async () => undefined,
    },
  };
}

const TURN_WORDS: Readonly<Record<TurnState, string>> = {
  executing: "I am working",
  steering: "I am working (`steering`: I received newer messages)",
  blocked: "I am working (`blocked`: I wait for an approval)",
  waiting_for_collect: "I wait for sub-agents (`waiting_for_collect`)",
  interrupted: "The last answer was cut off (`interrupted`, `state_saved`)",
};

async function formatQueue(context: CommandContext, parts: QueueParts): Promise<string> {
  const { record, address, read } = context;
  const [state, waiting] = await Promise.all([
    readQueueState(record, read, parts.findLive(record.key)),
    readWaiting(context),
  ]);
  const stateOf = new Map(state.backlog.map((item) => [item.seq, item]));
  const shown = waiting.slice(0, MAX_SHOWN_ITEMS).map((item, at) => {
    const { state: how = "queued", priority } = stateOf.get(item.seq) ?? {};
    return `${at + 1}. ${formatItem(item)} (${how}${priority === undefined ? "" : `, ${priority}`})`;
  });
  const more = waiting.length - shown.length;
  return [
    `${formatTurn(context, state)}; ${waiting.length} waiting. ${formatRules(parts.getQueueRules(record, address))}`,
    ...shown,
    ...(more > 0 ? [`… and ${more} more`] : []),
  ].join("\n");
}

function formatTurn(context: CommandContext, { turn, cut, isSuspect }: QueueState): string {
  // It waits until no other suspect runs.
  if (isSuspect && turn === undefined && !isRunning(context))
    return "The next turn was active at repeated crashes of the gateway and waits to run alone (`suspect`)";
  if (turn === undefined) return isRunning(context) ? TURN_WORDS.executing : "Nothing runs";
  const suspect = isSuspect ? ", after repeated crashes of the gateway (`suspect`)" : "";
  return `${TURN_WORDS[turn]}${suspect}${cut === "recovery_mode" ? ", from what was cut off (`recovery_mode`)" : ""}`;
}

function formatItem({ body, kind }: ItemRow): string {
  const { text, completion } = parseItemBody(body);
  if (completion !== undefined) return `the result of ${completion.label ?? "a sub-agent"}`;
  const line = text.trim().replaceAll(/\s+/g, " ").replaceAll("`", "'");
  const short = line.length > MAX_ITEM_CHARS ? `${line.slice(0, MAX_ITEM_CHARS).toWellFormed()}…` : line;
  return kind === "nested" ? `an agent's “${short}”` : `“${short}”`;
}

/** Splits the text after the command. Words keep their case, because names of models have one. */
export function readWords(rest: string): readonly string[] {
  return rest.trim().split(/\s+/).filter(Boolean);
}

/** Parses a setting. `undefined`: it is not one. Does not check whether a model exists. */
export function parseSetting(words: readonly string[]): QueueSetting | "default" | undefined {
  const [word, value, ...more] = words.map((each) => each.toLowerCase());
  if (word === "interrupt" && value !== undefined) return parseInterrupt(words);
  if (more.length > 0) return undefined;
  if (word === "default" && value === undefined) return "default";
  const mode = value === undefined ? QUEUE_MODES.find((known) => known === word) : undefined;
  if (mode !== undefined) return { mode };
  const drop = DROP_POLICIES.find((known) => known === value);
  if (word === "drop" && drop !== undefined) return { drop };
  const number = value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
  if (number === undefined) return undefined;
  if (word === "debounce" && number <= MAX_DEBOUNCE_MS) return { debounceMs: number };
  return word === "cap" && number >= 1 && number <= MAX_CAP ? { cap: number } : undefined;
}

/** A setting of how turns are interrupted also selects the mode `interrupt`. */
function parseInterrupt([, what = "", given]: readonly string[]): QueueSetting | undefined {
  const mode = "interrupt";
  const key = what.toLowerCase();
  const resume = given === undefined ? RESUME_PLACES.find((known) => known === key) : undefined;
  if (resume !== undefined) return { mode, interrupt: { resume } };
  if (given === undefined) return undefined;
  const isDefault = given.toLowerCase() === "default";
  if (key === "model") return { mode, interrupt: { model: isDefault ? undefined : given } };
  const thinking = THINKING_LEVELS.find((known) => known === given.toLowerCase());
  if (key !== "thinking" || (thinking === undefined && !isDefault)) return undefined;
  return { mode, interrupt: { thinking } };
}

/** Keeps earlier settings that the new one does not name. */
export function mergeSetting(own: QueueSetting, setting: QueueSetting): QueueSetting {
  const { interrupt } = setting;
  return { ...own, ...setting, ...(interrupt === undefined ? {} : { interrupt: { ...own.interrupt, ...interrupt } }) };
}

const DROP_WORDS: Readonly<Record<DropPolicy, string>> = {
  summarize: "summarized",
  old: "the oldest dropped",
  new: "new ones refused",
};

function formatRules({ mode, debounceMs, cap, drop, interrupt }: QueueRules): string {
  const shown = mode === undefined ? "`steer` (fallback: `followup`)" : `\`${mode}\``;
  const how = mode === "interrupt" ? formatInterrupt(interrupt) : "";
  return `Mode: ${shown}${how}. Debounce ${debounceMs} ms. Max ${cap} queued, then ${DROP_WORDS[drop]}.`;
}

function formatInterrupt({ resume, model, thinking }: QueueRules["interrupt"]): string {
  const said = [
    ...(resume === "checkpoint" ? ["continues from the last finished turn"] : []),
    ...(model === undefined ? [] : [`with the model \`${model.replaceAll("`", "'")}\``]),
    ...(thinking === undefined ? [] : [`thinking \`${thinking}\``]),
  ];
  return said.length === 0 ? "" : ` (${said.join(", ")})`;
}
