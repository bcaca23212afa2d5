import {
  type InterruptRules,
  type InterruptSetting,
  parseInterruptSetting,
  resolveInterruptRules,
} from "./interrupt-setting.ts";

/** What a message does that arrives while a turn of its conversation runs. */
export const QUEUE_MODES = ["steer", "followup", "collect", "steer-backlog", "interrupt"] as const;
export type QueueMode = (typeof QUEUE_MODES)[number];

/** What becomes of messages beyond the cap: the oldest in short, the oldest left out, or the newest refused. */
export const DROP_POLICIES = ["summarize", "old", "new"] as const;
export type DropPolicy = (typeof DROP_POLICIES)[number];

const DEFAULT_QUEUE = { debounceMs: 500, cap: 20, drop: "summarize" } as const;

/** What of the rules a channel or a conversation sets for itself. */
export interface QueueSetting {
  readonly mode?: QueueMode | undefined;
  /** Milliseconds. */
  readonly debounceMs?: number | undefined;
  readonly cap?: number | undefined;
  readonly drop?: DropPolicy | undefined;
  readonly interrupt?: InterruptSetting | undefined;
}

/** The rules of all conversations, and of those of a channel where that has its own. */
export interface QueueConfig extends QueueSetting {
  readonly byChannel: Readonly<Record<string, QueueSetting>>;
}

export interface QueueRules {
  /** Absent: `steer` where the runtime can, else `followup`. */
  readonly mode?: QueueMode;
  readonly debounceMs: number;
  /** Messages that may wait; commands are not counted. */
  readonly cap: number;
  readonly drop: DropPolicy;
  /** For the mode of that name. */
  readonly interrupt: InterruptRules;
}

/** What holds in a conversation: its own setting before that of its channel, and that before the one of all. */
export function resolveQueueRules(
  config: Partial<QueueConfig> | undefined,
  channel: string | undefined,
  own: QueueSetting = {},
): QueueRules {
  const global: Partial<QueueConfig> = config ?? {};
  const ofChannel = (channel === undefined ? undefined : global.byChannel?.[channel]) ?? {};
  const mode = own.mode ?? ofChannel.mode ?? global.mode;
  return {
    ...(mode === undefined ? {} : { mode }),
    debounceMs: own.debounceMs ?? ofChannel.debounceMs ?? global.debounceMs ?? DEFAULT_QUEUE.debounceMs,
    cap: own.cap ?? ofChannel.cap ?? global.cap ?? DEFAULT_QUEUE.cap,
    drop: own.drop ?? ofChannel.drop ?? global.drop ?? DEFAULT_QUEUE.drop,
    interrupt: resolveInterruptRules([own.interrupt, ofChannel.interrupt, global.interrupt]),
  };
}

/** A conversation's own setting, as its record keeps it; what is not one is left out. */
export function parseQueueSetting(value: unknown): QueueSetting {
  if (typeof value !== "object" || value === null) return {};
  const {
    mode,
    debounceMs,
    cap,
    drop,
    interrupt,
  }: { mode?: unknown; debounceMs?: unknown; cap?: unknown; drop?: unknown; interrupt?: unknown } = value;
  return {
    ...pick(
      "mode",
      QUEUE_MODES.find((known) => known === mode),
    ),
    ...pick("debounceMs", isWhole(debounceMs) ? debounceMs : undefined),
    ...pick("cap", isWhole(cap) && cap > 0 ? cap : undefined),
    ...pick(
      "drop",
      DROP_POLICIES.find((known) => known === drop),
    ),
    ...pick("interrupt", parseInterruptSetting(interrupt)),
  };
}

function pick<Key extends string, Value>(key: Key, value: Value | undefined): { [Name in Key]?: Value } {
  const picked: { [Name in Key]?: Value } = {};
  if (value !== undefined) picked[key] = value;
  return picked;
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** The models that turns are run with behind one that was cut off, each with where it is written. */
export function listQueueModels({
  interrupt,
  byChannel = {},
}: Partial<QueueConfig>): readonly { readonly path: readonly string[]; readonly model: string }[] {
  const places = [
    { path: ["queue"], setting: interrupt },
    ...Object.entries(byChannel).map(([id, own]) => ({ path: ["queue", "byChannel", id], setting: own.interrupt })),
  ];
  return places.flatMap(({ path, setting: { model } = {} }) =>
    model === undefined ? [] : [{ path: [...path, "interrupt", "model"], model }],
  );
}
