import { THINKING_LEVELS, type ThinkingLevel } from "./thinking-level.ts";

/**
 * Where the agent goes on when a newer message has cut its turn off. `here`: from what that turn had said and found out.
 * `checkpoint`: from the end of the last turn that was settled; what was said to the agent stays.
 */
export const RESUME_PLACES = ["here", "checkpoint"] as const;
export type ResumePlace = (typeof RESUME_PLACES)[number];

/** How a turn is run that takes the place of one that was cut off; what is absent is as in any other turn. */
export interface InterruptSetting {
  readonly resume?: ResumePlace | undefined;
  readonly model?: string | undefined;
  readonly thinking?: ThinkingLevel | undefined;
}

export interface InterruptRules {
  readonly resume: ResumePlace;
  readonly model?: string;
  readonly thinking?: ThinkingLevel;
}

const USUAL: InterruptRules = { resume: "here" };

/** The first one that says something of it counts, piece by piece. */
export function resolveInterruptRules(settings: readonly (InterruptSetting | undefined)[]): InterruptRules {
  const given = settings.filter((setting) => setting !== undefined);
  if (given.length === 0) return USUAL;
  const model = given.find((setting) => setting.model !== undefined)?.model;
  const thinking = given.find((setting) => setting.thinking !== undefined)?.thinking;
  return {
    resume: given.find((setting) => setting.resume !== undefined)?.resume ?? USUAL.resume,
    ...(model === undefined ? {} : { model }),
    ...(thinking === undefined ? {} : { thinking }),
  };
}

/** As a record keeps it; what is none is left out. */
export function parseInterruptSetting(value: unknown): InterruptSetting | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { resume, model, thinking }: { resume?: unknown; model?: unknown; thinking?: unknown } = value;
  const place = RESUME_PLACES.find((known) => known === resume);
  const level = THINKING_LEVELS.find((known) => known === thinking);
  return {
    ...(place === undefined ? {} : { resume: place }),
    ...(typeof model === "string" && model !== "" ? { model } : {}),
    ...(level === undefined ? {} : { thinking: level }),
  };
}
