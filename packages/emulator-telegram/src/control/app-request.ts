/** The schemas of what comes over the control interface about drafts and buttons. */
import { z } from "zod";
import type { AnswerWait, AppControl, ButtonPress, DraftChat, DraftWait } from "./app-control.ts";
import type { Operation } from "./room-request.ts";

const id = z.int();
const name = { userId: id, botId: id.exactOptional() };
const draftChat: z.ZodType<DraftChat> = z.strictObject(name);
const buttonPress: z.ZodType<ButtonPress> = z.strictObject({
  ...name,
  chatId: id.exactOptional(),
  messageId: id.exactOptional(),
  label: z.string().exactOptional(),
  data: z.string().exactOptional(),
  isInaccessible: z.boolean().exactOptional(),
});

/** One entry for each method of this part of Control, by its name. */
export function buildAppOperations(
  control: AppControl,
  timeoutMs: z.ZodType<number>,
): Readonly<Record<keyof AppControl, Operation>> {
  const draftWait: z.ZodType<DraftWait> = z.strictObject({ ...name, afterSeq: id, timeoutMs });
  const answerWait: z.ZodType<AnswerWait> = z.strictObject({ queryId: z.string(), timeoutMs });
  return {
    readDrafts: async (request) => control.readDrafts(draftChat.parse(request)),
    awaitDrafts: async (request) => control.awaitDrafts(draftWait.parse(request)),
    stopDraft: async (request) => control.stopDraft(draftChat.parse(request)),
    press: async (request) => control.press(buttonPress.parse(request)),
    awaitAnswer: async (request) => control.awaitAnswer(answerWait.parse(request)),
  };
}
