import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createTelegramEmulator } from "../src/index.ts";
import { type CallApi, createBotClient, GROVE, list, pick, pickId } from "./bot-client.ts";

/** The machine-readable Bot API, which lies beside the repository where it is developed. */
const SPEC = new URL("../../../../shared/specs/telegram/bot-api.json", import.meta.url);
const spec: unknown = existsSync(SPEC) ? JSON.parse(readFileSync(SPEC, "utf8")) : undefined;

interface Field {
  readonly name: string;
  readonly types: readonly string[];
  readonly required: boolean;
}

const METHODS = [
  "getMe",
  "getUpdates",
  "sendMessage",
  "editMessageText",
  "sendChatAction",
  "deleteWebhook",
  "getWebhookInfo",
  "setMyCommands",
  "getMyCommands",
  "deleteMessage",
  "getChat",
];

it.skipIf(spec === undefined)("answers as the Bot API describes, or the test says it was skipped", async () => {
  const emulator = await createTelegramEmulator();
  await emulator.addBot(GROVE);
  const api = createBotClient(emulator.url);
  const ada = await emulator.user({ id: 7, firstName: "Ada", username: "ada", languageCode: "en" });
  const messageId = await ada.says("/start https://e.org/", {});
  await ada.edits(messageId, "hello");
  await ada.says("re", { replyTo: messageId });
  await ada.blocks();
  await ada.unblocks();
  const own = pickId(await api("sendMessage", { chat_id: 7, text: "x" }));
  const samples: Record<string, object> = {
    sendMessage: { chat_id: 7, text: "<b>x</b>", parse_mode: "HTML", reply_parameters: { message_id: messageId } },
    editMessageText: { chat_id: 7, message_id: own, text: "y" },
    sendChatAction: { chat_id: 7, action: "typing" },
    setMyCommands: { commands: [{ command: "start", description: "Start" }] },
    deleteMessage: { chat_id: 7, message_id: own },
    getChat: { chat_id: 7 },
  };
  for (const method of METHODS) {
    const answer = await api(method, { ...samples[method] });
    expect(answer, method).toMatchObject({ ok: true });
    const returned = list(pick(spec, "methods", method, "returns")).map(String);
    expect(findFault(answer.result, returned, method)).toBeUndefined();
  }
  await emulator.close();
});

it.skipIf(spec === undefined)("knows every parameter of its methods, and no other", async () => {
  const emulator = await createTelegramEmulator();
  await emulator.addBot(GROVE);
  const api: CallApi = createBotClient(emulator.url);
  for (const method of METHODS) {
    const names = readFields(pick(spec, "methods", method)).map(({ name }) => name);
    for (const name of names) {
      // Only whether the name is known counts here, so the value may be refused.
      const { description } = await api(method, { [name]: "x" });
      expect(description ?? "", `${method}.${name}`).not.toContain("unknown parameter");
    }
    expect((await api(method, { nothing: "x" })).description, method).toContain('unknown parameter "nothing"');
  }
  await emulator.close();
});

function readFields(type: unknown): Field[] {
  return list(pick(type, "fields")).map((field) => ({
    name: String(pick(field, "name")),
    types: list(pick(field, "types")).map(String),
    required: pick(field, "required") === true,
  }));
}

/** Where the value is of none of the types, undefined if it is of one. */
function findFault(value: unknown, types: readonly string[], path: string): string | undefined {
  const faults = types.map((type) => findFaultOfType(value, type, path));
  return faults.includes(undefined) ? undefined : faults.join(" or ");
}

function findFaultOfType(value: unknown, type: string, path: string): string | undefined {
  const element = /^Array of (.+)$/.exec(type)?.[1];
  if (element !== undefined) {
    if (!Array.isArray(value)) return `${path}: no array`;
    return value.map((each, at) => findFault(each, element.split(" or "), `${path}[${at}]`)).find((fault) => fault);
  }
  if (type === "Integer") return Number.isSafeInteger(value) ? undefined : `${path}: no integer`;
  if (type === "String") return typeof value === "string" ? undefined : `${path}: no string`;
  if (type === "Boolean" || type === "True") return typeof value === "boolean" ? undefined : `${path}: no boolean`;
  const description = pick(spec, "types", type);
  if (typeof value !== "object" || value === null || description === undefined) return `${path}: no ${type}`;
  const subtypes = list(pick(description, "subtypes")).map(String);
  if (subtypes.length > 0) return findFault(value, subtypes, path);
  const fields = readFields(description);
  const unknown = Object.keys(value).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) return `${path}.${unknown}: not in ${type}`;
  for (const { name, types, required } of fields) {
    const member = pick(value, name);
    if (member === undefined && !required) continue;
    const fault = findFault(member, types, `${path}.${name}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
