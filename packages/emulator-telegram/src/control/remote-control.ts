import { z } from "zod";
import { EMULATOR_ERROR_CODES, EmulatorError, isEmulatorErrorCode } from "../ports/error.ts";
import type { CallCount, CallRecord } from "../records/call-record.ts";
import { botState, draft, event, history, queryAnswer, roomHistory, roomState } from "./answer-schema.ts";
import type { Control, FileCopy } from "./control.ts";
import { webhookDelivery } from "./webhook-request.ts";

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
const fileCopy: z.ZodType<FileCopy> = z.object({ name: z.string().exactOptional(), content: z.base64() });
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
    eraseLine: (erasure) => call("eraseLine", erasure, nothing),
    readChats: (filter) => call("readChats", filter, z.array(history)),
    awaitChat: (wait) => call("awaitChat", wait, z.array(event)),
    readFile: (file) => call("readFile", file, fileCopy),
    readRecord: (filter) => call("readRecord", filter, z.array(record)),
    readCounts: () => call("readCounts", {}, z.record(z.string(), callCount)),
    awaitCalls: (wait) => call("awaitCalls", wait, number),
    addFault: (fault) => call("addFault", fault, number),
    removeFault: (removal) => call("removeFault", removal, nothing),
    clearFaults: () => call("clearFaults", {}, nothing),
    awaitFault: (wait) => call("awaitFault", wait, number),
    createRoom: (spec) => call("createRoom", spec, roomState),
    readRooms: (filter) => call("readRooms", filter, z.array(roomHistory)),
    actInRoom: (action) => call("actInRoom", action, roomState),
    postLines: (lines) => call("postLines", lines, z.array(number)),
    editPost: (edit) => call("editPost", edit, nothing),
    awaitRoom: (wait) => call("awaitRoom", wait, z.array(event)),
    readDeliveries: (bot) => call("readDeliveries", bot, z.array(webhookDelivery)),
    awaitDeliveries: (wait) => call("awaitDeliveries", wait, number),
    steerWebhook: (steering) => call("steerWebhook", steering, nothing),
    deliverUpdate: (order) => call("deliverUpdate", order, webhookDelivery),
    forgeUpdate: (forgery) => call("forgeUpdate", forgery, webhookDelivery),
    setBot: (change) => call("setBot", change, nothing),
    pushUpdate: (push) => call("pushUpdate", push, nothing),
    flood: (flood) => call("flood", flood, nothing),
    setLimits: (limits) => call("setLimits", limits, nothing),
    readDrafts: (chat) => call("readDrafts", chat, z.array(draft)),
    awaitDrafts: (wait) => call("awaitDrafts", wait, z.array(draft)),
    stopDraft: (chat) => call("stopDraft", chat, nothing),
    press: (press) => call("press", press, z.string()),
    awaitAnswer: (wait) => call("awaitAnswer", wait, z.array(queryAnswer)),
    passTime: (time) => call("passTime", time, nothing),
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
