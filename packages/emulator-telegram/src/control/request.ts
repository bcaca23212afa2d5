/** The schemas of what comes over the control interface to the emulator. */
import { z } from "zod";
import type { BotSpec } from "../bots/bot.ts";
import { botAbilitiesSchema } from "../bots/bot-ability.ts";
import { mediaSchema } from "../chats/media.ts";
import type { UserSpec } from "../chats/person.ts";
import { faultSchema } from "../faults/fault.ts";
import type { CallFilter } from "../records/call-record.ts";
import { entitySchema } from "../text/entity.ts";
import { buildAppOperations } from "./app-request.ts";
import type { BotName, ChatFilter, ChatWait, Control, Line, LineEdit, LineErasure, UserAction } from "./control.ts";
import { buildRoomOperations, type Operation, topicName } from "./room-request.ts";
import { buildWebhookOperations } from "./webhook-request.ts";

/** A wait longer than this would meet the time limits of HTTP clients. */
const WAIT_LIMIT_MS = 240_000;

const botId = z.int().exactOptional();
const timeoutMs = z.number().min(0).max(WAIT_LIMIT_MS);

const botSpec: z.ZodType<BotSpec> = z.strictObject({
  token: z.string(),
  username: z.string().min(1),
  firstName: z.string().exactOptional(),
  abilities: botAbilitiesSchema.exactOptional(),
});
const botName: z.ZodType<BotName> = z.strictObject({ botId });
const userSpec: z.ZodType<UserSpec> = z.strictObject({
  id: z.int().min(1),
  firstName: z.string().min(1),
  username: z.string().exactOptional(),
  languageCode: z.string().exactOptional(),
});
const userAction: z.ZodType<UserAction> = z.discriminatedUnion("action", [
  z.strictObject({ botId, userId: z.int(), action: z.enum(["start", "block", "unblock", "deactivate"]) }),
  z.strictObject({ botId, userId: z.int(), action: z.literal("open-topic"), name: topicName }),
  z.strictObject({ botId, userId: z.int(), action: z.literal("delete-topic"), topicId: z.int() }),
]);
const line: z.ZodType<Line> = z.strictObject({
  botId,
  userId: z.int(),
  text: z.string(),
  entities: z.array(entitySchema).exactOptional(),
  replyTo: z.int().exactOptional(),
  quote: z.string().min(1).exactOptional(),
  topicId: z.int().exactOptional(),
  media: mediaSchema.exactOptional(),
  album: z.string().exactOptional(),
});
const lineErasure: z.ZodType<LineErasure> = z.strictObject({ botId, userId: z.int(), messageId: z.int() });
const lineEdit: z.ZodType<LineEdit> = z.strictObject({
  botId,
  userId: z.int(),
  messageId: z.int(),
  text: z.string(),
});
const chatFilter: z.ZodType<ChatFilter> = z.strictObject({ botId, userId: z.int().exactOptional() });
const chatWait: z.ZodType<ChatWait> = z.strictObject({ botId, userId: z.int(), afterSeq: z.int(), timeoutMs });
const callFilter: z.ZodType<CallFilter> = z.strictObject({
  method: z.string().exactOptional(),
  botId,
  isAccepted: z.boolean().exactOptional(),
});
const count = z.int().min(0);

/** One entry for each method of Control, by its name. */
export function buildOperations(control: Control): ReadonlyMap<string, Operation> {
  const operations: Readonly<Record<keyof Control, Operation>> = {
    addBot: async (request) => control.addBot(botSpec.parse(request)),
    readBot: async (request) => control.readBot(botName.parse(request)),
    revokeBot: async (request) => control.revokeBot(botName.parse(request)),
    addUser: async (request) => control.addUser(userSpec.parse(request)),
    act: async (request) => control.act(userAction.parse(request)),
    say: async (request) => control.say(z.array(line).parse(request)),
    editLine: async (request) => control.editLine(lineEdit.parse(request)),
    eraseLine: async (request) => control.eraseLine(lineErasure.parse(request)),
    readChats: async (request) => control.readChats(chatFilter.parse(request)),
    awaitChat: async (request) => control.awaitChat(chatWait.parse(request)),
    readFile: async (request) => control.readFile(z.strictObject({ fileId: z.string() }).parse(request)),
    readRecord: async (request) => control.readRecord(callFilter.parse(request)),
    readCounts: async () => control.readCounts(),
    awaitCalls: async (request) =>
      control.awaitCalls(z.strictObject({ method: z.string(), count, timeoutMs }).parse(request)),
    addFault: async (request) => control.addFault(faultSchema.parse(request)),
    removeFault: async (request) =>
      control.removeFault(z.strictObject({ id: z.int(), end: z.enum(["pass", "cut"]) }).parse(request)),
    clearFaults: async () => control.clearFaults(),
    awaitFault: async (request) => control.awaitFault(z.strictObject({ id: z.int(), count, timeoutMs }).parse(request)),
    ...buildRoomOperations(control, timeoutMs),
    ...buildAppOperations(control, timeoutMs),
    ...buildWebhookOperations(control, timeoutMs),
  };
  return new Map(Object.entries(operations));
}
