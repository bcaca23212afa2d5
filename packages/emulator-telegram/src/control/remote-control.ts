import { z } from "zod";
import type { ChatEvent, ChatMessage, MessageVersion } from "../chats/message.ts";
import { EMULATOR_ERROR_CODES, EmulatorError, isEmulatorErrorCode } from "../ports/error.ts";
import type { CallCount, CallRecord } from "../records/call-record.ts";
import { entitySchema } from "../text/entity.ts";
import type { BotState, ChatHistory, Control } from "./control.ts";

const botState: z.ZodType<BotState> = z.object({
  id: z.int(),
  username: z.string(),
  pendingUpdates: z.int(),
  isPolling: z.boolean(),
});
const content = { text: z.string(), entities: z.array(entitySchema) };
const version: z.ZodType<MessageVersion> = z.object({ ...content, atMs: z.number() });
const author = z.enum(["user", "bot"]);
const message: z.ZodType<ChatMessage> = z.object({
  ...content,
  messageId: z.int(),
  author,
  replyTo: z.int().exactOptional(),
  replyMarkup: z.unknown().exactOptional(),
  versions: z.array(version),
  isDeleted: z.boolean(),
});
const event: z.ZodType<ChatEvent> = z.object({
  ...content,
  seq: z.int(),
  kind: z.enum(["sent", "edited", "deleted"]),
  messageId: z.int(),
  author,
  atMs: z.number(),
});
const history: z.ZodType<ChatHistory> = z.object({
  botId: z.int(),
  botUsername: z.string(),
  userId: z.int(),
  userFirstName: z.string(),
  messages: z.array(message),
});
const record: z.ZodType<CallRecord> = z.object({
  seq: z.int(),
  botId: z.int().exactOptional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()),
  atMs: z.number(),
  isAccepted: z.boolean(),
  fault: z.string().exactOptional(),
  answer: z.object({ status: z.int(), body: z.unknown() }).exactOptional(),
  answeredAtMs: z.number().exactOptional(),
  isDropped: z.boolean(),
});
const number = z.int();
const callCount: z.ZodType<CallCount> = z.object({
  accepted: number,
  refused: number,
  faulted: number,
  dropped: number,
});
const nothing: z.ZodType<void> = z.null().transform(() => undefined);

/** The control of an emulator in another process, over HTTP; `controlUrl` as the emulator names it. */
export function createRemoteControl(controlUrl: string): Control {
  const call = <T>(name: keyof Control, request: unknown, schema: z.ZodType<T>): Promise<T> =>
    post(`${controlUrl}/${name}`, request, schema);
  return {
    addBot: (spec) => call("addBot", spec, botState),
    readBot: (bot) => call("readBot", bot, botState),
    revokeBot: (bot) => call("revokeBot", bot, nothing),
    addUser: (spec) => call("addUser", spec, nothing),
    act: (action) => call("act", action, nothing),
    say: (lines) => call("say", lines, z.array(number)),
    editLine: (edit) => call("editLine", edit, nothing),
    readChats: (filter) => call("readChats", filter, z.array(history)),
    awaitChat: (wait) => call("awaitChat", wait, z.array(event)),
    readRecord: (filter) => call("readRecord", filter, z.array(record)),
    readCounts: () => call("readCounts", {}, z.record(z.string(), callCount)),
    awaitCalls: (wait) => call("awaitCalls", wait, number),
    addFault: (fault) => call("addFault", fault, number),
    removeFault: (removal) => call("removeFault", removal, nothing),
    clearFaults: () => call("clearFaults", {}, nothing),
    awaitFault: (wait) => call("awaitFault", wait, number),
  };
}

const errorBody = z.object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) });

async function post<T>(url: string, request: unknown, schema: z.ZodType<T>): Promise<T> {
  let body: unknown;
  try {
    const response = await fetch(url, { method: "POST", body: JSON.stringify(request) });
    body = await response.json();
  } catch (cause) {
    throw new EmulatorError("unreachable", `calling ${url}: no answer; is the emulator's process alive?`, { cause });
  }
  const failed = errorBody.safeParse(body);
  if (failed.success) {
    const { code, message: text } = failed.data.error;
    if (isEmulatorErrorCode(code)) throw new EmulatorError(code, text);
    throw new EmulatorError(
      "unreachable",
      `calling ${url}: an error of none of the codes ${Object.keys(EMULATOR_ERROR_CODES)}: ${text}`,
    );
  }
  return z.object({ ok: z.literal(true), result: schema }).parse(body).result;
}
