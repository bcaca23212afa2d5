/** The buttons below messages about a sub-agent, running or ended. */
import type { ShownRun } from "@banyan/plugin-sdk";
import type {
  APIActionRowComponent,
  APIButtonComponentWithCustomId,
  APIButtonComponentWithURL,
  APIComponentInMessageActionRow,
} from "discord.js";
import { type ButtonKey, formatButtonId } from "../commands/button-id.ts";
import { isSnowflake } from "../snowflake.ts";

/** Each button exists only if its value is set. */
export interface CardButtons {
  /** The child's thread. */
  readonly threadUrl?: string;
  /** The signed ids of `formatButtonId`. */
  readonly retryId?: string;
  /** For a running run: an ended one cannot be stopped. */
  readonly killId?: string;
}

export interface RunButtonOptions {
  readonly key: ButtonKey;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** `ComponentType.ActionRow`, `.Button`; `ButtonStyle.Secondary`, `.Success`, `.Danger`, `.Link`. */
const ROW = 1;
const BUTTON = 2;
const GREY = 2;
const GREEN = 3;
const RED = 4;
const LINK = 5;
/** "Button", docs.discord.com/developers/components/reference. */
const LABEL_LIMIT_CHARS = 80;
/** After this no one remembers what the button was for. */
const BUTTON_LIFE_MS = 7 * 24 * 3_600_000;

/**
 * Formats the id of a button for the person who asked for the run; for everyone if that person is unknown or was not on
 * Discord.
 */
export function formatRunButtonId(
  action: "retry" | "kill",
  { runId, askedBy = "" }: Pick<ShownRun, "runId" | "askedBy">,
  { key, now }: RunButtonOptions,
): string | undefined {
  const expiresAt = now + BUTTON_LIFE_MS;
  return formatButtonId({ action, runId, expiresAt, ...(isSnowflake(askedBy) && { userId: askedBy }) }, key);
}

/** Builds the buttons below the message that shows a run: a running one can be stopped. `undefined`: no button. */
export function buildRunRow(
  run: ShownRun,
  options: RunButtonOptions,
): APIActionRowComponent<APIComponentInMessageActionRow> | undefined {
  const killId = run.state === "working" ? formatRunButtonId("kill", run, options) : undefined;
  return buildButtonRow(killId === undefined ? {} : { killId });
}

/** `undefined` where there is no button: an empty row is refused. */
export function buildButtonRow(
  buttons: CardButtons,
): APIActionRowComponent<APIComponentInMessageActionRow> | undefined {
  const { threadUrl, retryId, killId } = buttons;
  const components = [
    ...(threadUrl === undefined ? [] : [buildLink("Open thread", threadUrl)]),
    ...(retryId === undefined ? [] : [buildPress("Try again", GREY, retryId)]),
    ...(killId === undefined ? [] : [buildPress("Stop", RED, killId)]),
  ];
  return components.length === 0 ? undefined : { type: ROW, components };
}

/** A button for each choice of a question, in its order: green for a yes, red for a no. */
export function buildChoiceRow(
  choices: readonly { readonly label: string; readonly isAllowing: boolean; readonly id: string }[],
): APIActionRowComponent<APIComponentInMessageActionRow> {
  const components = choices.map(({ label, isAllowing, id }) =>
    buildPress(label.slice(0, LABEL_LIMIT_CHARS), isAllowing ? GREEN : RED, id),
  );
  return { type: ROW, components };
}

function buildLink(label: string, url: string): APIButtonComponentWithURL {
  return { type: BUTTON, style: LINK, label, url };
}

function buildPress(
  label: string,
  style: typeof GREY | typeof GREEN | typeof RED,
  id: string,
): APIButtonComponentWithCustomId {
  return { type: BUTTON, style, label, custom_id: id };
}
