import { describe, expect, it } from "vitest";
import { type CallRecord, createBotApiSchema } from "../../src/index.ts";

const integer = { types: ["Integer"], required: true };
const SPEC = {
  methods: {
    getUpdates: { returns: ["Array of Update"] },
    sendMessage: {
      returns: ["Message"],
      fields: [
        { name: "chat_id", types: ["Integer", "String"], required: true },
        { name: "entities", types: ["Array of Entity"], required: false },
        { name: "silent", types: ["Boolean"], required: false },
      ],
    },
  },
  types: {
    Update: {
      fields: [
        { name: "update_id", ...integer },
        { name: "message", types: ["Message"], required: false },
        { name: "edited_message", types: ["Message"], required: false },
      ],
    },
    Message: {
      fields: [
        { name: "message_id", ...integer },
        { name: "origin", types: ["Origin"], required: false },
        { name: "rows", types: ["Array of Array of Entity"], required: false },
      ],
    },
    Origin: { subtypes: ["OriginUser", "OriginChat"] },
    OriginUser: { fields: [{ name: "user", ...integer }] },
    OriginChat: { fields: [{ name: "chat", ...integer }] },
    Entity: { fields: [{ name: "offset", ...integer }] },
    ResponseParameters: { fields: [{ name: "retry_after", types: ["Integer"], required: false }] },
  },
};
const schema = createBotApiSchema(SPEC);

describe("a request", () => {
  it.each([
    [{ chat_id: 1 }, undefined],
    [{ chat_id: "@news", entities: [{ offset: 0 }], silent: true }, undefined],
    [{ chat_id: 1, entities: '[{"offset":0}]', silent: "true" }, undefined],
    [{}, "sendMessage.chat_id: is required"],
    [{ chat_id: 1, colour: "red" }, "sendMessage.colour: no parameter of it"],
    [{ chat_id: true }, "sendMessage.chat_id: no integer or sendMessage.chat_id: no string"],
    [{ chat_id: 1, entities: [{ offset: "0" }] }, "sendMessage.entities[0].offset: no integer"],
    [{ chat_id: 1, entities: "none" }, "sendMessage.entities: no array"],
    [{ chat_id: 1, silent: "maybe" }, "sendMessage.silent: no boolean"],
  ])("%j: %s", (params, fault) => {
    expect(schema.checkRequest("sendMessage", params)).toBe(fault);
  });

  it("of no method is a fault", () => {
    expect(schema.checkRequest("sendMessages", {})).toBe("sendMessages: no method of the Bot API");
  });
});

describe("an answer", () => {
  it.each([
    [{ message_id: 1, origin: { chat: 2 }, rows: [[{ offset: 0 }], []] }, undefined],
    [{ message_id: 1.5 }, "sendMessage.message_id: no integer"],
    [{ message_id: 1, text: "x" }, "sendMessage.text: not in Message"],
    [
      { message_id: 1, origin: { bot: 2 } },
      "sendMessage.origin.bot: not in OriginUser or sendMessage.origin.bot: not in OriginChat",
    ],
    [{ message_id: 1, rows: [{ offset: 0 }] }, "sendMessage.rows[0]: no array"],
    [null, "sendMessage: no Message"],
  ])("%j: %s", (result, fault) => {
    expect(schema.checkResult("sendMessage", result)).toBe(fault);
  });

  it.each([
    [{ update_id: 1, message: { message_id: 1 } }, undefined],
    [{ update_id: 1 }, "update: 0 payloads, not one"],
    [{ update_id: 1, message: { message_id: 1 }, edited_message: { message_id: 1 } }, "update: 2 payloads, not one"],
    [{ update_id: 1, guess: {} }, "update.guess: not in Update"],
  ])("update %j: %s", (update, fault) => {
    expect(schema.checkUpdate(update)).toBe(fault);
  });
});

describe("a record", () => {
  const record = (part: Partial<CallRecord>): CallRecord => ({
    seq: 3,
    method: "sendMessage",
    params: { chat_id: 1 },
    atMs: 0,
    isAccepted: true,
    isDropped: false,
    ...part,
  });
  const answers = (status: number, body: unknown): CallRecord => record({ answer: { status, body } });

  it.each([
    [answers(200, { ok: true, result: { message_id: 1 } }), []],
    [answers(429, { ok: false, error_code: 429, description: "x", parameters: { retry_after: 1 } }), []],
    [record({}), []],
    [record({ fault: "garbage", answer: { status: 200, body: "{" } }), []],
    [answers(200, { ok: true, result: {} }), ["call 3: sendMessage.message_id: no integer"]],
    [answers(400, { ok: false }), ["call 3: sendMessage: the answer is no envelope of the Bot API"]],
    [
      answers(429, { ok: false, error_code: 429, description: "x", parameters: { wait: 1 } }),
      ["call 3: sendMessage refused.wait: not in ResponseParameters"],
    ],
    [record({ params: {} }), ["call 3: sendMessage.chat_id: is required"]],
    [
      record({
        method: "getUpdates",
        params: {},
        answer: { status: 200, body: { ok: true, result: [{ update_id: 1 }] } },
      }),
      ["call 3: update: 0 payloads, not one"],
    ],
  ])("%j: %j", (call, faults) => {
    expect(schema.checkCalls([call])).toEqual(faults);
  });

  it("may hold what an allowance names", () => {
    const reason = "it is newer than this specification";
    const lenient = createBotApiSchema(SPEC, [{ type: "Update", field: "guess", reason }]);
    expect(lenient.checkUpdate({ update_id: 1, guess: {} })).toBeUndefined();
    expect(lenient.checkUpdate({ update_id: 1, guesses: {} })).toBe("update.guesses: not in Update");
  });
});
