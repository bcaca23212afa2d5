/**
 * The way of one REST call: find the route · token and user agent · body · fault before the effect · limits · route ·
 * fault after the effect · write. The record is opened before the first fault and settled with the writing.
 */
import type { ActiveFault, FaultList } from "../faults/fault-list.ts";
import type { CallJournal, CallRecord } from "../records/call-record.ts";
import type { Exchange } from "../server/exchange.ts";
import type { Bot } from "../world/bot.ts";
import type { World } from "../world/world.ts";
import type { Answer, Request, Route } from "./call.ts";
import { buildRateLimit, type Delivery, decideAfterEffect, decideBeforeEffect } from "./delivery.ts";
import { BANNED_PAGE, type InvalidRequestLimit } from "./invalid-request-limit.ts";
import type { RateLimit } from "./rate-limit.ts";
import { Refusal, refuse, UNAUTHORIZED } from "./refusal.ts";
import { parseRequestBody, type RequestBody } from "./request-body.ts";
import type { Router } from "./router.ts";

/** Where the API begins in the server's paths; the version after it is asked for as well. */
export const API_PATH = "/api" as const;
const VERSION_PATH = "/api/v10";

export interface RestApiParts {
  readonly world: World;
  readonly router: Router;
  readonly journal: CallJournal;
  readonly faults: FaultList;
  readonly rateLimit: RateLimit | undefined;
  readonly invalidLimit: InvalidRequestLimit | undefined;
}

interface Target {
  readonly exchange: Exchange;
  readonly route: Route;
  readonly bot: Bot | undefined;
  readonly request: Request;
  readonly record: CallRecord;
}

export class RestApi {
  readonly #parts: RestApiParts;

  constructor(parts: RestApiParts) {
    this.#parts = parts;
  }

  async answer(exchange: Exchange, fullPath: string, query: string): Promise<void> {
    const { world, router, journal } = this.#parts;
    const bytes = await exchange.readBody();
    const method = exchange.request.method ?? "GET";
    const path = fullPath.startsWith(`${VERSION_PATH}/`) ? fullPath.slice(VERSION_PATH.length) : undefined;
    const matched = path === undefined ? undefined : router.find(method, path);
    const route = typeof matched === "object" ? matched.route : undefined;
    const token = /^Bot (.+)$/.exec(exchange.request.headers.authorization ?? "")?.[1] ?? "";
    const bot = world.bots.findByToken(token);
    const body = await readBody(exchange, bytes);
    const record = journal.open({
      ...(bot !== undefined && { botId: bot.id }),
      route: route?.template ?? `${method} ${path ?? fullPath}`,
      path: path ?? fullPath,
      query,
      ...(!(body instanceof Refusal) && body.body !== undefined && { body: body.body }),
      files: body instanceof Refusal ? [] : body.files.map(({ filename }) => filename),
      atMs: world.clock.nowMs(),
    });
    if (this.#parts.invalidLimit?.isReached(world.clock.nowMs()) === true) {
      return this.#deliver(exchange, record, {
        kind: "page",
        status: 403,
        contentType: "text/html",
        text: BANNED_PAGE,
      });
    }
    const early = findEarlyAnswer({ exchange, matched, bot, body });
    if (early !== undefined) return this.#deliver(exchange, record, { kind: "answer", answer: early }, early);
    if (typeof matched !== "object" || body instanceof Refusal) return;
    const request = { world, path: matched.path, query: new URLSearchParams(query), ...body };
    await this.#run({ exchange, route: matched.route, bot, request, record });
  }

  async #run(target: Target): Promise<void> {
    const { exchange, route, bot, request, record } = target;
    const { faults, journal, rateLimit, world } = this.#parts;
    const channelId = request.path.channel;
    const active = faults.take({ route: route.template, botId: bot?.id, channelId });
    if (active !== undefined) {
      record.fault = active.fault.kind;
      const early = await this.#meetBefore(active);
      if (early !== undefined) {
        this.#deliver(exchange, record, early);
        return faults.announceMet(active);
      }
    }
    const pace = rateLimit?.check(route.template, request.path, bot?.id, world.clock.nowMs());
    if (pace?.wait !== undefined) {
      const refusal = buildRateLimit(pace.wait.retryAfterMs, pace.wait.scope);
      this.#deliver(exchange, record, { ...refusal, headers: { ...pace.headers, ...refusal.headers } });
      if (active !== undefined) faults.announceMet(active);
      return;
    }
    const answer = runRoute(target);
    journal.accept(record);
    const made: Delivery = { kind: "answer", answer, headers: pace?.headers ?? {} };
    this.#deliver(exchange, record, active === undefined ? made : await this.#meetAfter(active, made), answer);
    if (active !== undefined) faults.announceMet(active);
  }

  async #meetBefore(active: ActiveFault): Promise<Delivery | undefined> {
    const end = await this.#parts.faults.wait(active, "request");
    return end === "cut" ? { kind: "cut" } : decideBeforeEffect(active.fault);
  }

  async #meetAfter(active: ActiveFault, made: Delivery): Promise<Delivery> {
    const end = await this.#parts.faults.wait(active, "answer");
    return end === "cut" ? { kind: "cut" } : decideAfterEffect(active.fault, made);
  }

  /** `made` is the answer the route gave, which the record keeps also where it is not delivered. */
  #deliver(exchange: Exchange, record: CallRecord, delivery: Delivery, made?: Answer): void {
    const isDropped = delivery.kind === "cut" || exchange.isGone;
    const nowMs = this.#parts.world.clock.nowMs();
    if (delivery.kind === "answer") {
      const scope = delivery.headers?.["x-ratelimit-scope"];
      this.#parts.invalidLimit?.count(delivery.answer.status, scope, nowMs);
    }
    const answer = delivery.kind === "answer" ? delivery.answer : made;
    const recorded =
      delivery.kind === "page"
        ? { status: delivery.status, body: delivery.text }
        : answer && { status: answer.status, body: answer.body ?? null };
    this.#parts.journal.settle(record, recorded, isDropped, nowMs);
    if (delivery.kind === "cut") exchange.cut();
    else if (!exchange.isGone) write(exchange, delivery, nowMs);
  }
}

/** `Date` is the emulator's time, so that a client's clock can be made to differ. */
function write(exchange: Exchange, delivery: Exclude<Delivery, { kind: "cut" }>, nowMs: number): void {
  const date = new Date(nowMs).toUTCString();
  if (delivery.kind === "page") {
    exchange.send(delivery.status, { date, "content-type": delivery.contentType }, delivery.text);
    return;
  }
  const { status, body } = delivery.answer;
  const headers = { date, ...delivery.headers, ...delivery.answer.headers };
  if (body === undefined) exchange.sendNothing(headers);
  else exchange.send(status, { ...headers, "content-type": "application/json" }, JSON.stringify(body));
}

async function readBody(exchange: Exchange, bytes: Buffer | "too-large" | undefined): Promise<RequestBody | Refusal> {
  if (bytes === "too-large") return refuse(40005);
  if (bytes === undefined || bytes.length === 0) return { body: undefined, files: [] };
  try {
    return await parseRequestBody(exchange.request, bytes);
  } catch (cause) {
    if (cause instanceof Refusal) return cause;
    throw cause;
  }
}

interface Arrival {
  readonly exchange: Exchange;
  readonly matched: ReturnType<Router["find"]>;
  readonly bot: Bot | undefined;
  readonly body: RequestBody | Refusal;
}

/** What is answered before anything is looked at: the edge's own refusals first (D14), then the token (D15). */
function findEarlyAnswer({ exchange, matched, bot, body }: Arrival): Answer | undefined {
  const agent = exchange.request.headers["user-agent"] ?? "";
  if (!/^DiscordBot \(\S+, \S+\)/.test(agent)) return answerWith(refuse(40333));
  if (matched === undefined) return { status: 404, body: { message: "404: Not Found", code: 0 } };
  if (matched === "method") return { status: 405, body: { message: "405: Method Not Allowed", code: 0 } };
  if (bot === undefined && "run" in matched.route) return { status: 401, body: UNAUTHORIZED };
  return body instanceof Refusal ? answerWith(body) : undefined;
}

function runRoute({ route, bot, request }: Target): Answer {
  try {
    if ("runOpen" in route) return route.runOpen(request);
    return bot === undefined ? { status: 401, body: UNAUTHORIZED } : route.run({ ...request, bot });
  } catch (cause) {
    if (cause instanceof Refusal) return answerWith(cause);
    throw cause;
  }
}

function answerWith({ status, body, headers }: Refusal): Answer {
  return { status, body, headers };
}
