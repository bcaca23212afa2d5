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
import { parseQueueSetting, QUEUE_MODES, type QueueRules } from "../../config/shapes/queue-config.ts";
import { HIGHEST_PRIORITY, LOWEST_PRIORITY, listClaimable, sortBacklog } from "../../lanes/backlog.ts";
import { parseItemBody } from "../../lanes/item-body.ts";
import type { SessionRecord } from "../../sessions/session-record.ts";
import type { LiveFacts, QueueState, TurnState } from "../../turns/states/queue-state.ts";
import { readQueueState } from "../../turns/states/read-queue-state.ts";
import { formatRules, mergeSetting, parseSetting, QUEUE_WAYS, readWords } from "./queue-setting.ts";

export interface QueueParts {
  readonly store: Pick<Store, "read">;
  getQueueRules(session: Partial<Pick<SessionRecord, "entry">>, address: Address): QueueRules;
  /** What only this process knows of a lane's turn. */
  findLive(lane: string): LiveFacts;
  /** The models that may be asked for by name; `undefined`: the runtime does not say. */
  listModels(runtime: string): Promise<readonly string[] | undefined>;
}

const MOST_SHOWN = 20;
const SHORT_CHARS = 60;
const MOST_MODELS = 10;

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
  if (words[0]?.toLowerCase() === "priority") return decidePriority(await readWaiting(context, parts), words.slice(1));
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

/** Only what the operator has named: whoever writes here does not choose what is paid for. */
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
  const shown = models.slice(0, MOST_MODELS).map((each) => `\`${each}\``);
  return `${named} is none of the models here: ${shown.join(", ")}${models.length > shown.length ? ", …" : ""}.`;
}

async function readWaiting({ record }: CommandContext, { store }: QueueParts): Promise<readonly ItemRow[]> {
  const open = await store.read.openItems({ lane: record.key, kinds: ["message", "nested", "completion"], limit: 200 });
  return sortBacklog(listClaimable(open));
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
  const { record, address } = context;
  const [state, waiting] = await Promise.all([
    readQueueState(record, parts.store.read, parts.findLive(record.key)),
    readWaiting(context, parts),
  ]);
  const stateOf = new Map(state.backlog.map((item) => [item.seq, item]));
  const shown = waiting.slice(0, MOST_SHOWN).map((item, at) => {
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
  const short = line.length > SHORT_CHARS ? `${line.slice(0, SHORT_CHARS).toWellFormed()}…` : line;
  return kind === "nested" ? `an agent's “${short}”` : `“${short}”`;
}
