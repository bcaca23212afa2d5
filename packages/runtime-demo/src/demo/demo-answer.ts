import type { TurnMessage } from "@banyan/plugin-sdk";
import type { LiveTurn, TurnEnd } from "@banyan/plugin-sdk/runtime";
import { answerCommand, type DemoPlace } from "./answer-command.ts";
import { readAttachedFiles } from "./attachments/attached-file.ts";
import { countAttached, formatReceived } from "./attachments/count-attached.ts";
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
      const end = await answerMessage(turn, place, message);
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

/** Beside a file, `count words` means the file. */
async function answerMessage(turn: LiveTurn, place: DemoPlace, message: TurnMessage): Promise<TurnEnd> {
  const files = readAttachedFiles(message);
  const command = parseDemoCommand(message.text);
  const isOfFile = command.kind === "count-words" && command.dir === "." && files.length > 0;
  if (command.kind === "count-attached" || isOfFile) {
    await countAttached(turn, message);
    return { reason: "done" };
  }
  if (command.kind !== "other" || files.length === 0) return answerCommand(turn, place, command);
  await sayText(turn, formatReceived(files));
  return { reason: "done" };
}

function isCompletion({ kind }: TurnMessage): boolean {
  return kind === "completion";
}
