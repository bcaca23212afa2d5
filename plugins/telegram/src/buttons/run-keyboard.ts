/** The buttons below a message that tells of a sub-agent. An edit drops those that it does not give again. */
import { type Address, parseAddress, type ShownRun } from "@banyan/plugin-sdk";
import type { InlineKeyboardButton, InlineKeyboardMarkup } from "grammy/types";
import { type ButtonAction, type ButtonKey, formatButtonData } from "./button-data.ts";

export interface RunKeyboardOptions {
  readonly key: ButtonKey;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const DAY_MS = 24 * 3_600_000;
/** After this nobody remembers what the button was for. */
const BUTTON_LIFE_DAYS = 7;
/** As Telegram's apps link to a message or a topic: the id of a supergroup without what marks it as one. */
const SUPERGROUP = /^-100(\d{1,15})$/;
const TOPIC = /^\d{1,15}$/;

/** `undefined` where no button fits. */
export function buildRunKeyboard(run: ShownRun, options: RunKeyboardOptions): InlineKeyboardMarkup | undefined {
  const { state, childThread, parts = 1 } = run;
  const isTold = state === "told";
  const row = [
    isTold && childThread !== undefined ? buildLink("Open topic", formatTopicUrl(childThread)) : undefined,
    // A part that is missing is seen where there are several.
    isTold && parts > 1 ? buildPress("Try again", "retry", run, options) : undefined,
    // What has ended cannot be stopped.
    isTold ? undefined : buildPress("Stop", "kill", run, options),
  ].filter((button) => button !== undefined);
  return row.length === 0 ? undefined : { inline_keyboard: [row] };
}

/** The same all day, so that an edit which is made again changes nothing. */
export function decideExpiry(now: number): number {
  return (Math.ceil(now / DAY_MS) + BUTTON_LIFE_DAYS) * DAY_MS;
}

function buildPress(
  text: string,
  action: ButtonAction,
  { runId, askedBy }: ShownRun,
  { key, now }: RunKeyboardOptions,
): InlineKeyboardButton | undefined {
  // Whoever asked elsewhere is nobody here: what is theirs alone has no button, rather than one for all.
  const order = { action, runId, expiresAt: decideExpiry(now), ...(askedBy !== undefined && { userId: askedBy }) };
  const data = formatButtonData(order, key);
  return data === undefined ? undefined : { text, callback_data: data };
}

function buildLink(text: string, url: string | undefined): InlineKeyboardButton | undefined {
  return url === undefined ? undefined : { text, url };
}

/** `undefined` for what has no link: topics of private chats, and what is no topic. */
export function formatTopicUrl(address: Address): string | undefined {
  const { channel, chat, thread = "" } = parseAddress(address);
  const [, id] = SUPERGROUP.exec(chat) ?? [];
  return channel !== "telegram" || id === undefined || !TOPIC.test(thread)
    ? undefined
    : `https://t.me/c/${id}/${thread}`;
}
