import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { ConsolePage } from "@banyan/console";
import type { GatewayOptions } from "@banyan/core";
import { type Desk, DeskRefusal } from "./desk.ts";

/** How long a question for news is held, and how often it is looked for meanwhile. */
const HOLD_MS = 20_000;
const LOOK_EVERY_MS = 150;
/** As long as the most patient platform, Telegram, lets a message be. */
const TEXT_LIMIT_CHARS = 4_096;
const BODY_LIMIT_BYTES = 64 * 1024;

type MountPages = NonNullable<GatewayOptions["mountPages"]>;

/**
 * The page of `banyan dev`, which is open as it holds no secret, and what it calls, which asks for the operator's token:
 * `GET /dev/chats?known=TAG` answers when something has changed, `POST /dev/say` writes as one of the people,
 * `POST /dev/press` presses a button.
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
    server.mount("/dev/press", (request) => answerPress(desks, request), "operator");
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
  const act = await readAct(desks, request, ["text"]);
  if (act instanceof Response) return act;
  const { desk, chat, person, fields } = act;
  return tell(async () => {
    await desk.say({ chat, person, text: fields.text ?? "" });
    return {};
  });
}

async function answerPress(desks: readonly Desk[], request: Request): Promise<Response> {
  const act = await readAct(desks, request, ["message", "button"]);
  if (act instanceof Response) return act;
  const { desk, chat, person, fields } = act;
  const { message = "", button = "" } = fields;
  return tell(async () => ({ told: await desk.press({ chat, person, message, button }) }));
}

interface Act {
  readonly desk: Desk;
  readonly chat: string;
  readonly person: string;
  /** Those that were asked for; none is empty. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What somebody does at a desk, or the answer to what is none. */
async function readAct(desks: readonly Desk[], request: Request, names: readonly string[]): Promise<Act | Response> {
  if (request.method !== "POST")
    return Response.json({ error: "What people do is posted" }, { status: 405, headers: { allow: "POST" } });
  const asked = ["desk", "chat", "person", ...names];
  const { chat, person, ...fields } = parseFields(await request.text(), asked) ?? {};
  const desk = desks.find(({ channel }) => channel === fields.desk);
  if (desk !== undefined && chat !== undefined && person !== undefined) return { desk, chat, person, fields };
  const error = `Something was posted: it needs ${asked.join(", ")}, each of 1 to ${TEXT_LIMIT_CHARS} characters`;
  return Response.json({ error }, { status: 400 });
}

/** The fields of these names; `undefined` where one is missing, empty or too long. */
function parseFields(body: string, names: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (body.length > BODY_LIMIT_BYTES) return undefined;
  try {
    const parsed: Readonly<Record<string, unknown>> | null = JSON.parse(body);
    const fields = names.flatMap((name) => {
      const value = parsed?.[name];
      const isGood = typeof value === "string" && value.trim() !== "" && value.length <= TEXT_LIMIT_CHARS;
      return isGood ? [[name, value] as const] : [];
    });
    return fields.length === names.length ? Object.fromEntries(fields) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function tell(act: () => Promise<object>): Promise<Response> {
  try {
    return Response.json(await act());
  } catch (error) {
    if (!(error instanceof DeskRefusal)) throw error;
    return Response.json({ error: error.message }, { status: 400 });
  }
}
