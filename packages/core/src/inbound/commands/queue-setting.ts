/** What of the queue a conversation sets for itself, as people write it. Pure. */
import { RESUME_PLACES } from "../../config/shapes/interrupt-setting.ts";
import {
  DROP_POLICIES,
  type DropPolicy,
  QUEUE_MODES,
  type QueueRules,
  type QueueSetting,
} from "../../config/shapes/queue-config.ts";
import { THINKING_LEVELS } from "../../config/shapes/thinking-level.ts";

const LARGEST_CAP = 1_000;
const LONGEST_DEBOUNCE_MS = 60_000;

export const QUEUE_WAYS: string = [
  `\`/queue ${QUEUE_MODES.join("|")}|default\``,
  "`/queue debounce <ms>`",
  "`/queue cap <number>`",
  `\`/queue drop ${DROP_POLICIES.join("|")}\``,
  "`/queue priority <number> <1-10>`",
  `\`/queue interrupt ${RESUME_PLACES.join("|")}\``,
  "`/queue interrupt model <name>|default`",
  "`/queue interrupt thinking <level>|default`",
].join(", ");

/** How a word counts whatever its case; the name of a model does not. */
export function readWords(rest: string): readonly string[] {
  return rest.trim().split(/\s+/).filter(Boolean);
}

/** `undefined`: it is none. A model is not looked up. */
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
  if (word === "debounce" && number <= LONGEST_DEBOUNCE_MS) return { debounceMs: number };
  return word === "cap" && number >= 1 && number <= LARGEST_CAP ? { cap: number } : undefined;
}

/** Whoever says how a turn is to be cut off wants that it is. */
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

/** What was set before holds on where nothing else is said of it. */
export function mergeSetting(own: QueueSetting, setting: QueueSetting): QueueSetting {
  const { interrupt } = setting;
  return { ...own, ...setting, ...(interrupt === undefined ? {} : { interrupt: { ...own.interrupt, ...interrupt } }) };
}

const DROP_WORDS: Readonly<Record<DropPolicy, string>> = {
  summarize: "summarized",
  old: "the oldest dropped",
  new: "new ones refused",
};

export function formatRules({ mode, debounceMs, cap, drop, interrupt }: QueueRules): string {
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
