import type { Clock, SessionSpec } from "@banyan/plugin-sdk";
import type { LiveTurn, TurnEnd } from "@banyan/plugin-sdk/runtime";
import { sendFile } from "./attachments/send-file.ts";
import { calculateExpression } from "./calc/calc-expression.ts";
import type { DemoCommand, WorkCommand } from "./demo-command.ts";
import { FAILURE, formatStatus, GREETING, HELP, NOT_UNDERSTOOD, SUGGESTIONS } from "./demo-phrase.ts";
import { sayText } from "./say-text.ts";
import { delegateCompare, delegateNest, delegateWork } from "./spawn/delegate.ts";
import { delegateWords, isWorthSplitting } from "./spawn/delegate-words.ts";
import { tickSeconds } from "./tick.ts";
import { countShare, countWords } from "./words/count-words.ts";
import { listPlace, suggestFolders } from "./words/list-place.ts";

export interface DemoPlace {
  readonly spec: SessionSpec;
  readonly clock: Clock;
  readonly canSpawn: boolean;
  /** A child works itself; it passes on only what needs several. */
  readonly isSubAgent: boolean;
  /** Whether nothing was said in this session before; asked only when somebody just talks. */
  isFirstTalk(turn: LiveTurn): Promise<boolean>;
}

/** What needs nothing of the message but its text. */
export type PlacedCommand = Exclude<DemoCommand, { readonly kind: "count-attached" }>;

const DONE: TurnEnd = { reason: "done" };
const NO_SUB_AGENTS = "I can't compare here, because I may not start sub-agents; try count words in";

export async function answerCommand(turn: LiveTurn, place: DemoPlace, command: PlacedCommand): Promise<TurnEnd> {
  switch (command.kind) {
    case "count-part":
      return countShare(turn, command);
    case "work":
      return workHere(turn, place, command.command);
    case "slow":
    case "fail":
      if (place.canSpawn && !place.isSubAgent && (await delegateWork(turn, command))) return DONE;
      return workHere(turn, place, command);
    case "count-words":
      await countOrSplit(turn, place, command.dir);
      return DONE;
    case "compare":
      if (place.canSpawn) await delegateCompare(turn, command.left, command.right);
      else await sayText(turn, `${NO_SUB_AGENTS} ${command.left}.`);
      return DONE;
    case "send":
      await sendFile(turn, command.path);
      return DONE;
    case "nest":
      await delegateNest(turn, command.level, command.of, place.canSpawn);
      return DONE;
    case "other":
      await sayText(turn, (await place.isFirstTalk(turn)) ? GREETING + SUGGESTIONS : NOT_UNDERSTOOD);
      return DONE;
    default:
      await sayText(turn, formatKnown(turn, place, command));
      return DONE;
  }
}

/** What is known without doing anything. */
function formatKnown(
  turn: LiveTurn,
  place: DemoPlace,
  command: Extract<DemoCommand, { kind: "greeting" | "help" | "status" | "calc" | "mistake" }>,
): string {
  switch (command.kind) {
    case "greeting":
      return GREETING + SUGGESTIONS;
    case "help":
      return HELP;
    case "status":
      return formatStatus(place.spec, turn.input.attempt);
    case "calc":
      return formatResult(command.expression);
    case "mistake":
      return command.text;
  }
}

async function workHere(turn: LiveTurn, place: DemoPlace, command: WorkCommand): Promise<TurnEnd> {
  if (command.kind === "fail") return { reason: "error", error: { isRetryable: false, message: FAILURE } };
  if (command.kind === "count-words") return countShare(turn, { dir: command.dir, part: 1, of: 1 });
  await tickSeconds(turn, place.clock, command.seconds);
  return DONE;
}

async function countOrSplit(turn: LiveTurn, place: DemoPlace, dir: string): Promise<void> {
  const listed = await listPlace(turn, dir);
  if (listed.kind === "refused") {
    return turn.say(`I can't list ${dir}: ${listed.reason}${await suggestFolders(turn)}`);
  }
  if (place.canSpawn && isWorthSplitting(listed)) return delegateWords(turn, dir, listed);
  await countWords(turn, dir, listed);
}

function formatResult(expression: string): string {
  const result = calculateExpression(expression);
  if (result.kind === "problem") return `I can't work that out: ${result.problem}.`;
  // Fifteen digits are what a double keeps: 0.1 + 0.2 is 0.3 for people. Adding 0 takes the sign off -0.
  return `${expression} = ${Number(result.value.toPrecision(15)) + 0}`;
}
