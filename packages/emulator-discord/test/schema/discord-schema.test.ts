import { describe, expect, it } from "vitest";
import { type CallRecord, createDiscordSchema } from "../../src/index.ts";
import { findFault, type JsonSchema } from "../../src/schema/json-schema.ts";

const ID: JsonSchema = { type: "string", pattern: "^[0-9]+$" };
const find = (reference: string): JsonSchema => (reference === "#/Id" ? ID : {});

describe("a value", () => {
  it.each<readonly [string, unknown, JsonSchema]>([
    ["of one of several types", null, { type: ["string", "null"] }],
    ["an integer where a number is asked for", 1, { type: "number" }],
    ["that a reference describes", "12", { $ref: "#/Id" }],
    ["one of several values", 60, { enum: [60, 1440] }],
    ["that fits one of several descriptions", 3, { oneOf: [ID, { type: "integer", maximum: 3 }] }],
    ["with a field that nobody describes", { a: 1, b: 2 }, { type: "object", properties: { a: { type: "integer" } } }],
    ["a list within its bounds", ["1", "2"], { type: "array", minItems: 1, maxItems: 2, items: { $ref: "#/Id" } }],
    ["a date", "2026-01-01T00:00:00.000Z", { type: "string", format: "date-time" }],
  ])("%s is right", (_, value, schema) => {
    expect(findFault(find, value, schema, "it")).toBeUndefined();
  });

  it.each<readonly [string, unknown, JsonSchema]>([
    ["it: is integer, not string", 1, { type: "string" }],
    ['it: "x" is not ^[0-9]+$', "x", { $ref: "#/Id" }],
    ["it: is not 4", 5, { const: 4 }],
    ["it: 90 is none of its values", 90, { enum: [60, 1440] }],
    ["it: fits none of 2; the last says it: 4 is out of bounds", 4, { oneOf: [ID, { type: "integer", maximum: 3 }] }],
    ["it: is 3 long", "abc", { type: "string", maxLength: 2 }],
    ["it: has 3 entries", [1, 2, 3], { type: "array", maxItems: 2 }],
    ["it[1]: is integer, not string", ["1", 2], { type: "array", items: { type: "string" } }],
    ["it.a: is required", { b: 1 }, { type: "object", required: ["a"] }],
    ["it.b: unknown", { b: 1 }, { type: "object", additionalProperties: false }],
    ["it.a: is string, not integer", { a: "1" }, { allOf: [{ properties: { a: { type: "integer" } } }] }],
    ['it: "soon" is no date', "soon", { type: "string", format: "date-time" }],
  ])("is wrong: %s", (fault, value, schema) => {
    expect(findFault(find, value, schema, "it")).toBe(fault);
  });
});

describe("a call", () => {
  const message = { type: "object", required: ["content"], properties: { content: { type: "string" } } };
  const json = { content: { "application/json": { schema: { $ref: "#/components/schemas/Message" } } } };
  const schema = createDiscordSchema(
    {
      paths: {
        "/things/{thing}": {
          post: {
            requestBody: { ...json, required: true },
            responses: { "200": json, "4XX": { $ref: "#/components/responses/Error" } },
          },
        },
        "/things/@me": {
          get: { parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }], responses: { "204": {} } },
        },
      },
      components: {
        schemas: { Message: message, Error: { type: "object", required: ["code"] } },
        responses: { Error: { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } } },
      },
    },
    [{ fault: "POST /things/:id answer.content", reason: "a test of allowances" }],
  );
  const post = { route: "POST /things/:id", path: "/things/7", query: "", body: { content: "x" } };
  const base = { seq: 1, files: [], atMs: 0, isAccepted: true, isDropped: false };
  const check = (call: Partial<CallRecord>): readonly string[] => schema.checkCalls([{ ...base, ...post, ...call }]);
  const me = { route: "GET /things/:id", path: "/things/@me" };

  it("is right with its request, its answer and its refusal", () => {
    expect(check({ answer: { status: 200, body: { content: "x" } } })).toEqual([]);
    expect(check({ body: { content: 1 }, answer: { status: 400, body: { code: 1 } } })).toEqual([]);
    expect(check({ ...me, query: "limit=5", answer: { status: 204, body: null } })).toEqual([]);
  });

  it("is wrong where one of them is", () => {
    expect(check({ body: {} })).toEqual(["POST /things/:id request.content: is required"]);
    expect(check({ answer: { status: 200, body: [] } })).toEqual(["POST /things/:id answer: is array, not object"]);
    expect(check({ answer: { status: 400, body: {} } })).toEqual(["POST /things/:id answer.code: is required"]);
    expect(check({ answer: { status: 202, body: {} } })).toEqual([
      "POST /things/:id answer: status 202 is not described",
    ]);
    expect(check({ ...me, query: "limit=x" })).toEqual(["GET /things/:id query limit: is string, not integer"]);
    expect(check({ ...me, query: "offset=1" })).toEqual(["GET /things/:id query: unknown: offset"]);
    expect(check({ path: "/other", route: "GET /other" })).toEqual(["GET /other: is not described"]);
  });

  it("may differ where an allowance says why, and where a fault was injected", () => {
    expect(check({ answer: { status: 200, body: {} } })).toEqual([]);
    expect(check({ fault: "status", answer: { status: 502, body: "<html>" } })).toEqual([]);
  });
});
