/** `/answer`: a person answers what an agent has asked, such as whether it may run a tool. Only the person who was asked, once, in time. */
import { type ChannelPeer, parseAddress } from "@banyan/plugin-sdk";
import type { Command, CommandContext, CommandDecision, CommandFace } from "../../commands/command.ts";
import { parseDeliveryBody } from "../../outbound/queued-delivery.ts";
import { buildAnswerEntry, buildQuestionTimer } from "../../questions/question.ts";
import type { QuestionDesk } from "../../questions/question-desk.ts";
import { readQuestion, type StoredQuestion } from "../../questions/read-question.ts";
import { formatEntry } from "../../sessions/transcript.ts";

export interface AnswerParts {
  readonly questions: Pick<QuestionDesk, "settle">;
  /** Finds the person that an account is linked as. */
  findPerson(peer: ChannelPeer): string | undefined;
  wakeTimers(): void;
}

/** How far back an open question is searched when the answer does not name it. */
const MAX_HISTORY_ROWS = 200;
const ID = /^[\w-]{22}$/;
const NONE = "Nothing is asked here just now.";

export const ANSWER_FACE: CommandFace = {
  name: "answer",
  usage: "/answer <choice> [question]",
  summary: "answer what an agent asks you, such as allow or deny",
  parameters: [
    { name: "choice", summary: "allow, deny, or what the question offers", isRequired: true, kind: "text" },
    { name: "question", summary: "its id, where several are open", isRequired: false, kind: "text" },
  ],
};

export function createAnswerCommand(parts: AnswerParts): Command {
  return { ...ANSWER_FACE, decide: (context) => decideAnswer(context, parts) };
}

async function decideAnswer(context: CommandContext, parts: AnswerParts): Promise<CommandDecision> {
  const [word = "", given] = context.rest.split(/\s+/);
  const found = given === undefined ? await findOpen(context, parts) : await findNamed(given, context);
  if (typeof found === "string") return { answer: found };
  const { question, answer, isOpen } = found;
  const self = readSelf(context);
  if (!isAsked(question.askedOf, self, parts))
    return { answer: "That question is for another person; only they can answer." };
  if (answer !== undefined) return { answer: "That question has its answer already." };
  if (!isOpen || context.now > question.expiresAt) return { answer: "That question is not asked any more." };
  const choice = question.choices.find(({ id }, at) => id === word.toLowerCase() || String(at + 1) === word);
  if (choice === undefined) {
    const ways = question.choices.map(({ id }) => `\`/answer ${id}\``).join(" or ");
    return {
      answer: `${word === "" ? "Say what you answer" : `\`${word.replaceAll("`", "'")}\` is none of the choices`}: ${ways}.`,
    };
  }
  const { id, itemSeq, sessionId } = question;
  const entry = buildAnswerEntry(context.now, { type: "answer", id, choice: choice.id, by: self });
  return {
    answer: `${choice.label}.`,
    effect: {
      // The timer edits the question's message.
      written: { answer: { itemSeq, sessionId, entry: formatEntry(entry), arm: [buildQuestionTimer(id, 0)] } },
      settle() {
        parts.questions.settle(id);
        parts.wakeTimers();
      },
      abandon: async () => undefined,
    },
  };
}

async function findNamed(id: string, { read }: CommandContext): Promise<StoredQuestion | string> {
  const found = ID.test(id) ? await readQuestion(read, id) : undefined;
  return found ?? "There is no such question, or it is long over.";
}

/** Finds the one question that is open in this chat; else a text to answer with. */
async function findOpen(context: CommandContext, parts: AnswerParts): Promise<StoredQuestion | string> {
  const { address, read } = context;
  const rows = (await read.history({ address, limit: MAX_HISTORY_ROWS })) ?? [];
  const asked = rows.filter(({ source, kind }) => source === "delivery" && kind === "question");
  const ids = new Set(asked.flatMap(({ body }) => parseDeliveryBody(body).question?.id ?? []));
  const found = await Promise.all([...ids].map((id) => readQuestion(read, id)));
  const self = readSelf(context);
  const open = found.filter((each) => each?.isOpen === true && isAsked(each.question.askedOf, self, parts));
  const others = found.find((each) => each?.isOpen === true);
  const [only, ...more] = open;
  if (only === undefined) return others ?? NONE;
  if (more.length === 0) return only;
  const ways = open.map((each) => `- \`/answer ${each?.question.choices[0]?.id} ${each?.question.id}\``);
  return [`${open.length} questions are open here; say which one:`, ...ways].join("\n");
}

function readSelf({ address, body }: CommandContext): ChannelPeer {
  const { id: peer, displayName } = body.sender;
  const { channel } = parseAddress(address);
  return { channel, peer, ...(displayName === undefined ? {} : { displayName }) };
}

/** Whether this account was asked, or is linked as the person who was. */
function isAsked(askedOf: ChannelPeer, self: ChannelPeer, { findPerson }: AnswerParts): boolean {
  if (askedOf.channel === self.channel && askedOf.peer === self.peer) return true;
  const person = findPerson(askedOf);
  return person !== undefined && person === findPerson(self);
}
