import type { Clock, SessionSpec, TurnMessage } from "@banyan/plugin-sdk";
import type { LiveTurn } from "../turns/live-turn.ts";
import type { TurnEnd } from "../turns/turn-events.ts";
import { calculateExpression } from "./calc/calc-expression.ts";
import { countWords } from "./count-words.ts";
import { type DemoCommand, parseDemoCommand } from "./demo-command.ts";
import { FAILURE, formatStatus, GREETING, HELP, NOT_UNDERSTOOD, SUGGESTIONS } from "./demo-phrase.ts";
import { splitIntoChunks } from "./text-chunk.ts";
import { tickSeconds } from "./tick.ts";

export interface DemoPlace {
  readonly spec: SessionSpec;
  readonly clock: Clock;
  /** Whether nothing was said in this session before; asked only when somebody just talks. */
  isFirstTalk(turn: LiveTurn): Promise<boolean>;
}

/** What an agent answers when it has nothing to say. */
const SILENCE = "NO_REPLY";
const DONE: TurnEnd = { reason: "done" };

/** Answers each message of a turn in order, a blank line between two answers. */
export async function answerTurn(turn: LiveTurn, place: DemoPlace): Promise<TurnEnd> {
  const messages = turn.input.input.filter(({ kind }) => kind !== "system");
  if (messages.length === 0) await turn.say(SILENCE);
  for (const [index, message] of messages.entries()) {
    if (index > 0) await turn.say("\n\n");
    const end = await answerMessage(turn, place, message);
    if (end.reason !== "done") return end;
  }
  return DONE;
}

async function answerMessage(turn: LiveTurn, place: DemoPlace, message: TurnMessage): Promise<TurnEnd> {
  if (message.kind === "completion") await stream(turn, `A sub-agent has finished:\n${message.text}`);
  else return answerCommand(turn, place, parseDemoCommand(message.text));
  return DONE;
}

async function answerCommand(turn: LiveTurn, place: DemoPlace, command: DemoCommand): Promise<TurnEnd> {
  switch (command.kind) {
    case "help":
      await stream(turn, HELP);
      return DONE;
    case "status":
      await stream(turn, formatStatus(place.spec, turn.input.attempt));
      return DONE;
    case "calc":
      await stream(turn, formatResult(command.expression));
      return DONE;
    case "count-words":
      await countWords(turn, command.dir);
      return DONE;
    case "slow":
      await tickSeconds(turn, place.clock, command.seconds);
      return DONE;
    case "fail":
      return { reason: "error", error: { isRetryable: false, message: FAILURE } };
    case "mistake":
      await stream(turn, command.text);
      return DONE;
    case "other":
      await stream(turn, (await place.isFirstTalk(turn)) ? GREETING + SUGGESTIONS : NOT_UNDERSTOOD);
      return DONE;
  }
}

function formatResult(expression: string): string {
  const result = calculateExpression(expression);
  if (result.kind === "problem") return `I can't work that out: ${result.problem}.`;
  // Fifteen digits are what a double keeps: 0.1 + 0.2 is 0.3 for people. Adding 0 takes the sign off -0.
  return `${expression} = ${Number(result.value.toPrecision(15)) + 0}`;
}

async function stream(turn: LiveTurn, text: string): Promise<void> {
  for (const chunk of splitIntoChunks(text)) await turn.say(chunk);
}
