/**
 * The way of one Bot API call: find bot and method · parse parameters · fault before the effect · flood limit ·
 * method · fault after the effect · write. The record is opened before the first fault and settled with the writing.
 */
import { type Answer, refuse, refuseForNow } from "../answers/answer.ts";
import type { Bot } from "../bots/bot.ts";
import { findTrouble } from "../bots/bot-trouble.ts";
import type { ActiveFault, FaultList } from "../faults/fault-list.ts";
import { describeParameters } from "../files/upload.ts";
import { findMethod, type NamedMethod } from "../methods/catalog.ts";
import { ParameterReader } from "../parameters/parameter-reader.ts";
import { parseRequestParameters, type RequestParameters } from "../parameters/request-parameter.ts";
import type { Platform } from "../platform.ts";
import type { CallJournal, CallRecord } from "../records/call-record.ts";
import { type Delivery, decideAfterEffect, decideBeforeEffect } from "./delivery.ts";
import type { Exchange } from "./exchange.ts";
import type { FloodLimit } from "./flood-limit.ts";

export interface BotApiParts {
  readonly platform: Platform;
  readonly journal: CallJournal;
  readonly faults: FaultList;
  readonly floodLimit: FloodLimit;
}

interface ApiCall {
  readonly exchange: Exchange;
  readonly bot: Bot;
  readonly method: NamedMethod;
  readonly parameters: RequestParameters;
  readonly record: CallRecord;
}

export class BotApi {
  readonly #parts: BotApiParts;

  constructor(parts: BotApiParts) {
    this.#parts = parts;
  }

  /** `path` begins with "/bot". */
  async answer(exchange: Exchange, path: string, query: string): Promise<void> {
    const { platform, journal } = this.#parts;
    const [, token = "", methodName = ""] = /^\/bot(\d+:[A-Za-z0-9_-]+)\/([A-Za-z]+)$/.exec(path) ?? [];
    const body = await exchange.readBody();
    if (token === "") return sendAnswer(exchange, refuse(404, "Not Found"));
    if (body === undefined) return sendAnswer(exchange, refuse(413, "Request Entity Too Large"));

    const bot = platform.bots.findByToken(token);
    const method = findMethod(methodName);
    const parameters = await parseRequestParameters(exchange.request, query, body);
    const record = journal.open({
      ...(bot !== undefined && { botId: bot.id }),
      method: method?.name ?? methodName,
      params: parameters instanceof Map ? describeParameters(parameters) : {},
      atMs: platform.clock.nowMs(),
    });
    const refusal = findRefusal(bot, method, parameters);
    if (refusal !== undefined) return this.#deliver(exchange, record, { kind: "answer", answer: refusal }, refusal);
    if (bot === undefined || method === undefined || "ok" in parameters) return;
    await this.#run({ exchange, bot, method, parameters, record });
  }

  async #run(call: ApiCall): Promise<void> {
    const { exchange, bot, method, parameters, record } = call;
    const { platform, journal, faults, floodLimit } = this.#parts;
    const chatId = parameters.get("chat_id");
    const active = faults.take({ method: method.name, botId: bot.id, chatId, text: parameters.get("text") });
    if (active !== undefined) {
      record.fault = active.fault.kind;
      const early = await this.#meetBefore(active);
      if (early !== undefined) {
        this.#deliver(exchange, record, early);
        return faults.announceMet(active);
      }
    }
    const waitS = floodLimit.check(method.name, bot.id, chatId, platform.clock.nowMs());
    if (waitS !== undefined) {
      this.#deliver(exchange, record, { kind: "answer", answer: refuseForNow(waitS) });
      if (active !== undefined) faults.announceMet(active);
      return;
    }

    const running = method.run({
      platform,
      bot,
      read: new ParameterReader(parameters),
      onGone: (run) => exchange.onGone(run),
    });
    const answer = running instanceof Promise ? await running : running;
    journal.accept(record);
    const delivery = active === undefined ? undefined : await this.#meetAfter(active, answer);
    this.#deliver(exchange, record, delivery ?? { kind: "answer", answer }, answer);
    if (active !== undefined) faults.announceMet(active);
  }

  async #meetBefore(active: ActiveFault): Promise<Delivery | undefined> {
    const end = await this.#parts.faults.wait(active, "request");
    return end === "cut" ? { kind: "cut" } : decideBeforeEffect(active.fault);
  }

  async #meetAfter(active: ActiveFault, answer: Answer): Promise<Delivery> {
    const end = await this.#parts.faults.wait(active, "answer");
    return end === "cut" ? { kind: "cut" } : decideAfterEffect(active.fault, answer);
  }

  /** `made` is the answer the method gave, which the record keeps also where it is not delivered. */
  #deliver(exchange: Exchange, record: CallRecord, delivery: Delivery, made?: Answer): void {
    const isDropped = delivery.kind === "cut" || exchange.isGone;
    const answer = delivery.kind === "answer" ? delivery.answer : made;
    const recorded =
      delivery.kind === "page"
        ? { status: delivery.status, body: delivery.text }
        : answer && { status: getStatus(answer), body: answer };
    this.#parts.journal.settle(record, recorded, isDropped, this.#parts.platform.clock.nowMs());
    if (delivery.kind === "cut") exchange.cut();
    else if (exchange.isGone) return;
    else if (delivery.kind === "page") exchange.send(delivery.status, delivery.contentType, delivery.text);
    else sendAnswer(exchange, delivery.answer);
  }
}

function findRefusal(
  bot: Bot | undefined,
  method: NamedMethod | undefined,
  parameters: RequestParameters | Answer,
): Answer | undefined {
  if (bot === undefined) return refuse(401, "Unauthorized");
  const trouble = findTrouble(bot.trouble, method?.name ?? "");
  if (trouble !== undefined) return trouble;
  if (method === undefined) return refuse(404, "Not Found: method not found");
  return parameters instanceof Map || !("ok" in parameters) ? undefined : parameters;
}

function getStatus(answer: Answer): number {
  return answer.ok ? 200 : answer.error_code;
}

function sendAnswer(exchange: Exchange, answer: Answer): void {
  exchange.sendJson(getStatus(answer), answer);
}
