import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { ConsolePage } from "@banyan/console";
import type { GatewayOptions } from "@banyan/core";
import { type Desk, type DeskLine, DeskRefusal } from "./desk.ts";

/** How long a question for news is held, and how often it is looked for meanwhile. */
const HOLD_MS = 20_000;
const LOOK_EVERY_MS = 150;
/** As long as the most patient platform, Telegram, lets a message be. */
const TEXT_LIMIT_CHARS = 4_096;
const BODY_LIMIT_BYTES = 64 * 1024;

type MountPages = NonNullable<GatewayOptions["mountPages"]>;

/**
 * The page of `banyan dev`, which is open as it holds no secret, and what it calls, which asks for the operator's token:
 * `GET /dev/chats?known=TAG` answers when something has changed, `POST /dev/say` writes as one of the people.
 */
export function createDevRoutes(desks: readonly Desk[]): MountPages {
  return (server) => {
    let page: Promise<ConsolePage> | undefined;
    const servePage = async (request: Request) => {
      page ??= import("@banyan/console").then(({ buildDevPage }) => buildDevPage());
      return (await page).serve(request);
    };
    server.mount("/dev", servePage, "open");
    server.mount("/dev/chats", (request) => answerChats(desks, request), "operator");
    server.mount("/dev/say", (request) => answerSay(desks, request), "operator");
  };
}

/** The tag says what the page has. */
async function answerChats(desks: readonly Desk[], request: Request): Promise<Response> {
  const known = new URL(request.url).searchParams.get("known") ?? "";
  const untilMs = performance.now() + HOLD_MS;
  for (;;) {
    const shown = await Promise.all(
      desks.map(async (desk) => ({ channel: desk.channel, title: desk.title, chats: await desk.chats() })),
    );
    const tag = createHash("sha256").update(JSON.stringify(shown)).digest("base64url");
    const isOver = performance.now() >= untilMs || request.signal.aborted;
    if (tag !== known || isOver)
      return Response.json({ tag, desks: shown }, { headers: { "cache-control": "no-store" } });
    await wait(LOOK_EVERY_MS);
  }
}

async function answerSay(desks: readonly Desk[], request: Request): Promise<Response> {
  if (request.method !== "POST") return Response.json({ error: "Lines are posted" }, { status: 405 });
  const line = parseLine(await request.text());
  const desk = desks.find(({ channel }) => channel === line?.desk);
  if (line === undefined || desk === undefined) {
    const error = `A line was posted: it needs desk, chat, person and a text of 1 to ${TEXT_LIMIT_CHARS} characters`;
    return Response.json({ error }, { status: 400 });
  }
  try {
    await desk.say(line);
    return Response.json({ ok: true });
  } catch (error) {
    if (!(error instanceof DeskRefusal)) throw error;
    return Response.json({ error: error.message }, { status: 400 });
  }
}

function parseLine(body: string): (DeskLine & { readonly desk: string }) | undefined {
  if (body.length > BODY_LIMIT_BYTES) return undefined;
  try {
    const parsed: { desk?: unknown; chat?: unknown; person?: unknown; text?: unknown } | null = JSON.parse(body);
    const { desk, chat, person, text } = parsed ?? {};
    if (typeof desk !== "string" || typeof chat !== "string") return undefined;
    if (typeof person !== "string" || typeof text !== "string") return undefined;
    return text.trim() === "" || text.length > TEXT_LIMIT_CHARS ? undefined : { desk, chat, person, text };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
