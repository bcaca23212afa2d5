import { type ChatRequest, readText } from "@banyan/emulator-model";
import type { TranscriptAttachment, TranscriptEntry, TurnMessage } from "@banyan/plugin-sdk";
import { formatAddress } from "@banyan/plugin-sdk";
import { textOf } from "@banyan/plugin-sdk/runtime/suite";
import { expect, it } from "vitest";
import { openModelStage } from "../stage/model-stage.ts";

const PNG = Buffer.from("\u0089PNG\r\n\u001a\n oaks", "latin1");
const JPEG = Buffer.from("\u00ff\u00d8\u00ff oaks", "latin1");
const address = formatAddress({ channel: "grove", account: "default", kind: "dm", chat: "1" });

function attach(id: string, file: Partial<TranscriptAttachment["file"]> = {}): TranscriptAttachment {
  return { id, address, file: { id: `f${id}`, name: "oak.png", mimeType: "image/png", ...file } };
}

function say(text: string, ...attachments: readonly TranscriptAttachment[]): TurnMessage {
  return { kind: "message", text, attachments };
}

function entry(seq: number, text: string, ...attachments: readonly TranscriptAttachment[]): TranscriptEntry {
  const role = seq % 2 === 1 ? "user" : "assistant";
  return { id: `${seq}`, seq, timestamp: 0, kind: "message", role, content: [{ type: "text", text }], attachments };
}

/** The parts of the messages that people sent, pictures by their address. */
function seen({ messages }: ChatRequest): readonly unknown[] {
  return messages
    .filter(({ role }) => role === "user")
    .map(({ content }) =>
      Array.isArray(content) ? content.map((part) => part.text ?? Reflect.get(part, "image_url")) : content,
    );
}

const urlOf = (type: string, bytes: Buffer) => ({ url: `data:${type};base64,${bytes.toString("base64")}` });

it("shows a picture to a model that sees, as what its bytes are", async () => {
  const { ask, server, desk } = await openModelStage(() => ({ text: "Two oaks." }), { images: true });
  desk.files.set("1.1", JPEG);
  await ask([say("what is this?", attach("1.1"))]);
  expect(seen(server.asked[0]?.request ?? { model: "", messages: [] })).toEqual([
    ["what is this?", urlOf("image/jpeg", JPEG)],
  ]);
});

it("shows no picture to a model that does not, and fetches none", async () => {
  const { ask, server, desk } = await openModelStage(() => ({ text: "Yes." }));
  desk.files.set("1.1", PNG);
  desk.history = [entry(1, "look", attach("0.1")), entry(2, "I see")];
  const context = [{ label: "attachments", text: "oak.png, image/png [id 1.1]" }];
  await ask([{ ...say("what is this?", attach("1.1")), context }]);
  expect(seen(server.asked[0]?.request ?? { model: "", messages: [] })).toEqual([
    'look\n\n<data label="attachments">\n"oak.png", "image/png" [id 0.1]\n</data>',
    'what is this?\n\n<data label="attachments">\noak.png, image/png [id 1.1]\n</data>',
  ]);
  expect(desk.filesRead).toEqual([]);
});

it("fetches what may be a picture and is not too large, and shows what is one", async () => {
  const { ask, server, desk } = await openModelStage(() => ({ text: "Yes." }), { images: true });
  desk.files.set("1.1", Buffer.from("<svg onload='obey()'/>"));
  desk.files.set("1.2", PNG);
  desk.files.set("1.3", Buffer.concat([PNG, Buffer.alloc(3_750_000)]));
  desk.files.set("1.5", JPEG);
  await ask([
    say(
      "look",
      attach("1.1"),
      attach("1.2", { mimeType: "text/plain" }),
      attach("1.3"),
      attach("1.4", { sizeBytes: 3_750_001 }),
      { ...attach("1.5"), file: { id: "f", name: "OAK.JPG" } },
      attach("1.6"),
    ),
  ]);
  expect(desk.filesRead).toEqual(["1.6", "1.5", "1.3", "1.1"]);
  expect(seen(server.asked[0]?.request ?? { model: "", messages: [] })).toEqual([["look", urlOf("image/jpeg", JPEG)]]);
});

it("shows the eight newest, those of earlier turns where they stood", async () => {
  const { ask, server, desk } = await openModelStage(() => ({ text: "Yes." }), { images: true });
  for (let at = 1; at <= 9; at += 1) desk.files.set(`1.${at}`, PNG);
  desk.history = [
    entry(1, "older", attach("1.1"), attach("1.2")),
    entry(2, "I see"),
    entry(3, "old", attach("1.3")),
    entry(4, "I see"),
  ];
  await ask([say("new", ...[4, 5, 6, 7, 8, 9].map((at) => attach(`1.${at}`)))]);
  const counts = seen(server.asked[0]?.request ?? { model: "", messages: [] }).map((parts) =>
    Array.isArray(parts) ? parts.length - 1 : 0,
  );
  expect(counts).toEqual([1, 1, 6]);
});

it("leaves the oldest out where pictures fill the window", async () => {
  const stage = { images: true, contextWindowTokens: 6_000 };
  const { ask, server, desk } = await openModelStage(() => ({ text: "Yes." }), stage);
  for (const id of ["1.1", "1.2", "1.3"]) desk.files.set(id, PNG);
  desk.history = [entry(1, "older", attach("1.1")), entry(2, "aha"), entry(3, "old", attach("1.2")), entry(4, "aha")];
  await ask([say("new", attach("1.3"))]);
  const asked = server.asked[0]?.request ?? { model: "", messages: [] };
  expect(seen(asked)).toHaveLength(2);
  expect(asked.messages.map(readText).join("\n")).toMatch(/2 oldest messages[\s\S]*old[\s\S]*new$/u);
});

it("asks the next model without them where it sees none", async () => {
  const { ask, server, desk } = await openModelStage(() => ({ text: "Yes." }));
  desk.files.set("1.1", PNG);
  server.fault({ kind: "refuse", status: 401, model: "gpt-4o" });
  const spec = { model: "grove/gpt-4o", fallbackModels: ["grove/small"] };
  expect(textOf(await ask([say("look", attach("1.1"))], { spec }))).toBe("Yes.");
  expect(server.asked.map(({ request }) => seen(request))).toEqual([
    [["look", urlOf("image/png", PNG)]],
    ["look\n\n(One picture came with it, which you cannot see.)"],
  ]);
});

it("asks a model again without them that refuses them", async () => {
  const { ask, server, desk } = await openModelStage(() => ({ text: "Yes." }), { images: true });
  desk.files.set("1.1", PNG);
  server.fault({ kind: "refuse", status: 400, message: "this model takes no image" });
  expect(textOf(await ask([say("look", attach("1.1"))]))).toBe("Yes.");
  expect(seen(server.asked[1]?.request ?? { model: "", messages: [] })).toEqual([
    "look\n\n(One picture came with it, which you cannot see.)",
  ]);
});
