import type { TurnMessage } from "@banyan/plugin-sdk";
import type { LiveTurn } from "../turns/live-turn.ts";
import type { TurnEnd } from "../turns/turn-events.ts";
import { answerCommand, type DemoPlace } from "./answer-command.ts";
import { parseDemoCommand } from "./demo-command.ts";
import { sayText } from "./say-text.ts";
import { answerCompletions } from "./spawn/answer-completions.ts";

/** What an agent answers when it has nothing to say. */
const SILENCE = "NO_REPLY";
const GAP = "\n\n";

/**
 * Answers each message of a turn in order, a blank line between two answers. The completions of a turn are one message:
 * they are answered together, where the last of them stands.
 */
export async function answerTurn(turn: LiveTurn, place: DemoPlace): Promise<TurnEnd> {
  const messages = turn.input.input.filter(({ kind }) => kind !== "system");
  const completions = messages.filter(isCompletion);
  let hasSpoken = false;
  for (const message of messages) {
    if (!isCompletion(message)) {
      if (hasSpoken) await turn.say(GAP);
      hasSpoken = true;
      const end = await answerCommand(turn, place, parseDemoCommand(message.text));
      if (end.reason !== "done") return end;
    } else if (message === completions.at(-1)) {
      const told = (await answerCompletions(turn, completions)).join(GAP);
      if (told === "") continue;
      await sayText(turn, hasSpoken ? GAP + told : told);
      hasSpoken = true;
    }
  }
  if (!hasSpoken) await turn.say(SILENCE);
  return { reason: "done" };
}

function isCompletion({ kind }: TurnMessage): boolean {
  return kind === "completion";
}
