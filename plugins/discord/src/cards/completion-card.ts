/** How a completion looks in the parent's channel: a small card that says what ended and how, and the words below it. */
import { type Announcement, type Completion, formatStats, type RunOutcome } from "@banyan/plugin-sdk";
import type { APIEmbed, RESTPostAPIChannelMessageJSONBody } from "discord.js";
import { escapeName } from "../markdown/escape-text.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import { buildButtonRow, type CardButtons } from "./card-button.ts";

export interface CompletionCard
  extends Required<Pick<RESTPostAPIChannelMessageJSONBody, "content">>,
    Pick<RESTPostAPIChannelMessageJSONBody, "embeds" | "components"> {}

/** "Embed Limits", docs.discord.com/developers/resources/message: 256 for a title. A name is read at a glance. */
const NAME_LIMIT_CHARS = 80;

interface Look {
  /** As the host's own line begins. */
  readonly sign: string;
  readonly word: string;
  readonly color: number;
}

const LOOKS: Readonly<Record<RunOutcome, Look>> = {
  done: { sign: "✅", word: "done", color: 0x3ba55d },
  failed: { sign: "❌", word: "failed", color: 0xed4245 },
  timeout: { sign: "⏱", word: "out of time", color: 0xfaa61a },
  killed: { sign: "⏹", word: "stopped", color: 0x747f8d },
  interrupted: { sign: "⚠", word: "interrupted", color: 0xed4245 },
};

/**
 * One part of a completion's message, to be sent as it is: at most 2,000 characters of content, which may be empty beside
 * the card. The card is on the first part, where people begin to read, the buttons on the last, where they end.
 */
export function buildCompletionCard(announcement: Announcement, buttons: Omit<CardButtons, "killId">): CompletionCard {
  const { completion, text, delivery } = announcement;
  const isFirst = delivery.part === 0;
  const row = delivery.part === delivery.of - 1 ? buildButtonRow(buttons) : undefined;
  return {
    content: renderMarkdown(isFirst ? stripHead(text, completion) : text),
    ...(isFirst && { embeds: [buildEmbed(completion)] }),
    ...(row !== undefined && { components: [row] }),
  };
}

function buildEmbed(completion: Completion): APIEmbed {
  const { sign, word, color } = LOOKS[completion.outcome];
  return {
    color,
    title: `${sign} ${formatName(completion)}`,
    description: `${word} · ${formatStats(completion)}`,
  };
}

/** The label or how the task began, on one line. */
function formatName({ label, task }: Completion): string {
  const [line = ""] = (label ?? task).trim().split(/[\r\n]/, 1);
  const isLong = line.length > NAME_LIMIT_CHARS;
  const name = isLong ? `${line.slice(0, NAME_LIMIT_CHARS).replace(/[\ud800-\udbff]$/, "")}…` : line;
  return escapeName(name.toWellFormed()) || "sub-agent";
}

/**
 * The text without the line that the host begins its own message with, such as `✅ **nap** · done in 4.1 s`, which is what
 * the card says. Words of an agent that tells it itself have no such line and stay.
 */
function stripHead(text: string, completion: Completion): string {
  const [line = ""] = text.split("\n", 1);
  const isHead =
    line.startsWith(`${LOOKS[completion.outcome].sign} **`) && line.endsWith(` ${formatStats(completion)}`);
  return isHead ? text.slice(line.length).trimStart() : text;
}
