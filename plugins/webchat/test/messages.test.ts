import { describe, expect, test } from "vitest";
import { buildAddress, TestChat } from "./test-chat.ts";

const MIB = 1024 * 1024;

describe("writing a message", () => {
  test("a message is answered 202 with its id, after it was stored", async () => {
    const chat = await TestChat.open();
    const response = await chat.post({ peer: "operator", text: "hello", id: "m1" });
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ id: "m1" });
    expect(chat.received).toEqual([
      { id: "m1", address: buildAddress("operator"), sender: { id: "operator" }, text: "hello", at: chat.clock.now() },
    ]);
  });

  test("peer and id may be left out", async () => {
    const chat = await TestChat.open();
    expect(await (await chat.post({ text: "hello" })).json()).toEqual({ id: "made-1" });
    expect(chat.received[0]?.sender.id).toBe("operator");
  });

  test("the same id gives the same 202, and one message", async () => {
    const chat = await TestChat.open();
    const answers = [];
    for (const _ of [1, 2, 3]) answers.push(await chat.post({ text: "hello", id: "m1" }));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(await answers[2]?.json()).toEqual({ id: "m1" });
    expect(chat.received).toHaveLength(1);
  });

  test("one id under two peers is two messages", async () => {
    const chat = await TestChat.open();
    await chat.post({ peer: "ada", text: "hello", id: "m1" });
    await chat.post({ peer: "bob", text: "hello", id: "m1" });
    expect(chat.received.map(({ sender }) => sender.id)).toEqual(["ada", "bob"]);
  });

  test("1 MiB of text passes, one byte more is 413", async () => {
    const chat = await TestChat.open();
    expect((await chat.post({ text: "é".repeat(MIB / 2) })).status).toBe(202);
    const response = await chat.post({ text: `${"é".repeat(MIB / 2)}a` });
    expect(response.status).toBe(413);
    expect((await response.json()).error).toContain("its text may have 1048576 bytes, it has 1048577");
  });

  test("1 MiB of text passes also when each byte is written as an escape", async () => {
    const chat = await TestChat.open();
    expect((await chat.postRaw(`{"text":"${"\\u0061".repeat(MIB)}"}`)).status).toBe(202);
  });

  test("what is refused is 429, and what cannot be stored is 503 with Retry-After", async () => {
    const chat = await TestChat.open();
    chat.refuses = "everything";
    const refused = await chat.post({ text: "hello", id: "m1" });
    expect([refused.status, (await refused.json()).id]).toEqual([429, "m1"]);
    chat.refuses = "by failing";
    const failed = await chat.post({ text: "hello", id: "m1" });
    expect([failed.status, failed.headers.get("retry-after")]).toEqual([503, "2"]);
    chat.refuses = "nothing";
    expect((await chat.post({ text: "hello", id: "m1" })).status).toBe(202);
  });

  const bad: readonly (readonly [string, string | Uint8Array<ArrayBuffer>, RegExp])[] = [
    ["no body", "", /the body is no JSON/],
    ["half a body", '{"text":', /the body is no JSON/],
    ["no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), /the body is no UTF-8/],
    ["a list", "[]", /expected object, received array/],
    ["null", "null", /expected object, received null/],
    ["no text", '{"peer":"operator"}', /text: .*received undefined/],
    ["a number as text", '{"text":1}', /text: .*received number/],
    ["an empty text", '{"text":""}', /text: it is empty/],
    ["a blank text", '{"text":" \\n"}', /text: it is empty/],
    ["half a character", '{"text":"a\\ud83d"}', /text: it holds a lone surrogate/],
    ["an empty peer", '{"text":"a","peer":""}', /peer: /],
    ["a long peer", JSON.stringify({ text: "a", peer: "p".repeat(129) }), /peer: /],
    ["half a character as peer", '{"text":"a","peer":"\\udc00"}', /peer: .*lone surrogates/],
    ["NUL in a peer", '{"text":"a","peer":"a\\u0000b"}', /peer: .*control characters/],
    ["an empty id", '{"text":"a","id":""}', /id: /],
    ["null as id", '{"text":"a","id":null}', /id: /],
    ["a line break in an id", '{"text":"a","id":"a\\nb"}', /id: .*control characters/],
    ["a long id", JSON.stringify({ text: "a", id: "i".repeat(129) }), /id: /],
    ["a bomb of brackets", "[".repeat(1_000_000), /the body is no JSON/],
    ["a well-formed bomb of brackets", `{"text":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, /text: /],
  ];
  test.each(bad)("400 for %s", async (_name, body, sentence) => {
    const chat = await TestChat.open();
    const response = await chat.postRaw(body);
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatch(sentence);
    expect(chat.received).toEqual([]);
  });

  test("__proto__ in a body is a word like any other", async () => {
    const chat = await TestChat.open();
    expect((await chat.postRaw('{"text":"a","__proto__":{"id":"evil"}}')).status).toBe(202);
    expect(chat.received[0]?.id).toBe("made-1");
    expect(Object.hasOwn(Object.prototype, "id")).toBe(false);
  });

  test("an endless body is cut at the limit", async () => {
    const chat = await TestChat.open();
    const chunk = new Uint8Array(64 * 1024).fill(0x20);
    let given = 0;
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        given += chunk.byteLength;
        controller.enqueue(chunk);
      },
      cancel: () => {
        isCancelled = true;
      },
    });
    expect((await chat.postRaw(endless)).status).toBe(413);
    expect(isCancelled).toBe(true);
    expect(given).toBeLessThan(7 * MIB);
  });

  test("a body that says it is too long is not read", async () => {
    const chat = await TestChat.open();
    const headers = { "content-length": String(100 * MIB) };
    const response = await chat.request("/api/webchat/messages", { method: "POST", body: "{}", headers });
    expect(response.status).toBe(413);
  });

  test.each<[string, Record<string, string>]>([
    ["of unknown size", {}],
    ["of a small size", { "content-length": "40" }],
  ])(
    "a body %s that does not come is 408 and the end of its connection, one that breaks off 400",
    async (_, headers) => {
      const chat = await TestChat.open();
      const answer = chat.postRaw(new ReadableStream(), headers);
      chat.clock.advance(30_000);
      const late = await answer;
      expect([late.status, late.headers.get("connection")]).toEqual([408, "close"]);
      const broken = new ReadableStream({ start: (controller) => controller.error(new Error("reset")) });
      expect((await chat.postRaw(broken, headers)).status).toBe(400);
      expect(chat.clock.pending).toBe(0);
    },
  );
});

describe("reading messages", () => {
  test("both sides of the conversation are given, oldest first", async () => {
    const chat = await TestChat.open();
    await chat.post({ text: "hello", id: "m1" });
    await chat.answers("hi", { deliveryId: "d1" });
    const at = chat.clock.now();
    expect(await chat.read("?peer=operator&after=")).toEqual({
      status: 200,
      body: {
        messages: [
          { id: "m1", role: "user", kind: "message", text: "hello", at },
          { id: "d1.0", role: "assistant", kind: "reply", text: "hi", at },
        ],
      },
    });
    expect((await chat.read("?peer=somebody")).body).toEqual({ messages: [] });
  });

  test.each([
    ["", { limit: 1000 }],
    ["?after=", { limit: 1000 }],
    ["?after=0", { limit: 1000 }],
    ["?after=0&limit=7", { limit: 7 }],
    ["?after=m1", { after: "m1" }],
    ["?after=m1&limit=1", { after: "m1", limit: 1 }],
  ])("the query %s asks the history for %o", async (query, asked) => {
    const chat = await TestChat.open();
    await chat.post({ text: "hello", id: "m1" });
    expect((await chat.read(query)).status).toBe(200);
    expect(chat.asked).toEqual([{ address: buildAddress("operator"), ...asked }]);
  });

  test.each([
    ["?after=nope", /"nope" is no id of a message of operator/],
    ["?limit=0", /limit: /],
    ["?limit=1001", /limit: /],
    ["?limit=all", /limit: /],
    ["?limit=", /limit: /],
    ["?peer=", /peer: /],
    ["?peer=%00", /peer: /],
    [`?after=${"x".repeat(129)}`, /after/],
  ])("400 for the query %s", async (query, sentence) => {
    const chat = await TestChat.open();
    const { status, body } = await chat.read(query);
    expect(status).toBe(400);
    expect(body.error).toMatch(sentence);
  });
});

test("what the API does not have is 404, a wrong method 405", async () => {
  const chat = await TestChat.open();
  expect((await chat.request("/api/webchat/nothing")).status).toBe(404);
  const removal = await chat.request("/api/webchat/messages", { method: "DELETE" });
  expect([removal.status, removal.headers.get("allow")]).toEqual([405, "GET, POST"]);
  const post = await chat.request("/api/webchat/events", { method: "POST" });
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET"]);
});

test("only the operator gets in, and a second account has an address of its own", async () => {
  expect((await TestChat.open()).mounts).toMatchObject([{ path: "/api/webchat", access: "operator" }]);
  expect((await TestChat.open("work")).mounts).toMatchObject([{ path: "/api/webchat/accounts/work" }]);
});
