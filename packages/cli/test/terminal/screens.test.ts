import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { Finding } from "../../src/doctor/finding.ts";
import { formatFinding } from "../../src/doctor/finding-lines.ts";
import { wrapStartLines } from "../../src/gateway/start-lines.ts";

const START = [
  "  Banyan 0.1.0 · state /srv/bot/.banyan · sqlite",
  "  ● web chat    http://127.0.0.1:8787/?token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA   (open it in a browser)",
  "  ○ telegram    off: set TELEGRAM_BOT_TOKEN to switch it on",
  "  ● agent main  demo: a built-in program, not a language model. Set OPENAI_API_KEY or ANTHROPIC_API_KEY for a real one",
  "  Ready in 0.5 s. Ctrl-C stops; nothing is lost.",
];

test("a start at 80 columns breaks between words, below the text", () => {
  expect(wrapStartLines(START, 80)).toEqual([
    START[0],
    "  ● web chat    http://127.0.0.1:8787/?token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "                (open it in a browser)",
    START[2],
    "  ● agent main  demo: a built-in program, not a language model. Set",
    "                OPENAI_API_KEY or ANTHROPIC_API_KEY for a real one",
    START[4],
  ]);
});

test.each([120, undefined])("a start at %s columns needs no break", (columns) => {
  expect(wrapStartLines(START, columns)).toEqual(START);
});

const FINDINGS: readonly Finding[] = [
  { subject: "disk", level: "ok", text: "76 GiB free" },
  {
    subject: "telegram/default",
    level: "error",
    text: "privacy mode is on: in groups it gets only commands, mentions and replies to it, but groups.requireMention is false",
    cure: "switch it off at @BotFather (/setprivacy), then remove the bot from each group and add it again\nor set groups.requireMention to true",
  },
];

function showFindings(columns: number, isColoured: boolean): readonly string[] {
  const stream = Object.assign(new PassThrough(), { columns, isTTY: isColoured, getColorDepth: () => 4 });
  return FINDINGS.flatMap((finding) => formatFinding(finding, stream));
}

test("findings at 80 columns, without colour", () => {
  expect(showFindings(80, false)).toEqual([
    "  ✓ disk               76 GiB free",
    "  ✗ telegram/default   privacy mode is on: in groups it gets only commands,",
    "                       mentions and replies to it, but groups.requireMention is",
    "                       false",
    "                       → switch it off at @BotFather (/setprivacy), then remove",
    "                       the bot from each group and add it again",
    "                       → or set groups.requireMention to true",
  ]);
});

test.each([80, 120])("colour changes no line of the findings at %i columns", (columns) => {
  expect(showFindings(columns, true).map(stripVTControlCharacters)).toEqual(showFindings(columns, false));
});
