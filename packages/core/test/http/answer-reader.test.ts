import { describe, expect, it } from "vitest";
import { type Answer, AnswerError, AnswerReader } from "../../src/http/answer-reader.ts";

const LIMIT_BYTES = 100;

/** Gives the text in pieces of so many bytes. */
function read(text: string, piece: number, method = "POST"): Answer | "more" | "wrong" {
  const reader = new AnswerReader(method, LIMIT_BYTES);
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; at += piece) {
      const answer = reader.push(bytes.subarray(at, at + piece));
      if (answer !== undefined) return answer;
    }
    return reader.end() ?? "more";
  } catch (error) {
    if (error instanceof AnswerError) return "wrong";
    throw error;
  }
}

const OK = "HTTP/1.1 200 OK\r\n";
const LONG = `${OK}Content-Length: 2\r\n`;
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

describe.each([1, 3, 4_096])("in pieces of %i bytes", (piece) => {
  it.each([
    ["a length", `${LONG}\r\nok`, "ok"],
    ["no body", `${OK}Content-Length: 0\r\n\r\n`, ""],
    ["one length in two fields", `${LONG}content-length: 2\r\n\r\nok`, "ok"],
    ["one length twice in a field", `${OK}Content-Length: 2,2\r\n\r\nok`, "ok"],
    ["chunks", `${CHUNKED}2\r\nok\r\n3;name=value\r\n me\r\n0\r\n\r\n`, "ok me"],
    ["a chunk that looks like an end", `${CHUNKED}5\r\n0\r\n\r\n\r\n0\r\n\r\n`, "0\r\n\r\n"],
    ["chunks and trailers", `${CHUNKED}2\r\nok\r\n0\r\nExpires: 0\r\n\r\n`, "ok"],
    ["an interim answer before it", `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${LONG}\r\nok`, "ok"],
    ["no reason and any case", "HTTP/1.1 200\r\ncONTENT-lENGTH:2\r\n\r\nok", "ok"],
    ["letters of many bytes", `${OK}Content-Length: 5\r\n\r\ngrün`, "grün"],
  ])("an answer with %s is read whole and its connection kept", (_name, text, body) => {
    const answer = read(text, piece);
    expect(answer).toMatchObject({ status: 200, isKept: true });
    expect(answer).toHaveProperty("body", Buffer.from(body));
  });

  it.each([
    ["close", `${LONG}Connection: close\r\n\r\nok`, "ok"],
    ["close among others", `${LONG}Connection: upgrade, Close\r\n\r\nok`, "ok"],
    ["an old version", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok"],
    ["no length", `${OK}\r\nuntil the end`, "until the end"],
  ])("a connection is not kept after an answer with %s", (_name, text, body) => {
    const answer = read(text, piece);
    expect(answer).toMatchObject({ status: 200, isKept: false });
    expect(answer).toHaveProperty("body", Buffer.from(body));
  });

  it.each([
    [204, "X-Kind: pot", true],
    [204, "Content-Length: 0", true],
    [204, "Content-Length: 9", false],
    [204, "Transfer-Encoding: chunked", false],
    [304, "Content-Length: 9", true],
  ])("status %i has no body, though it says %s; its connection is kept: %s", (status, field, isKept) => {
    const answer = read(`HTTP/1.1 ${status} X\r\n${field}\r\n\r\n`, piece);
    expect(answer).toMatchObject({ status, isKept, body: Buffer.alloc(0) });
  });

  it("the answer to HEAD has no body", () => {
    expect(read(`${LONG}\r\n`, piece, "HEAD")).toMatchObject({ status: 200, body: Buffer.alloc(0) });
  });

  it.each([
    ["another protocol", "SSH-2.0 hello\r\n\r\n"],
    ["another version", "HTTP/2 200\r\n\r\n"],
    ["a status that is none", "HTTP/1.1 20 OK\r\n\r\n"],
    ["a field without a name", `${OK}: 2\r\n\r\nok`],
    ["a field name with a space", `${OK}Content-Length : 2\r\n\r\nok`],
    ["a folded field", `${LONG} and more\r\n\r\nok`],
    ["two lengths", `${LONG}Content-Length: 3\r\n\r\nok!`],
    ["two lengths in a field", `${OK}Content-Length: 2, 3\r\n\r\nok!`],
    ["a length and an empty one", `${OK}Content-Length: 2,\r\n\r\nok`],
    ["a line that ends without a return", `${OK}X-Kind: pot\nContent-Length: 2\r\n\r\nok`],
    ["a return within a line", `${OK}X-Kind: pot\rContent-Length: 2\r\n\r\nok`],
    ["a change of the protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
    ["a length that is none", `${OK}Content-Length: +2\r\n\r\nok`],
    ["a length and chunks", `${LONG}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["an unknown coding", `${OK}Transfer-Encoding: gzip\r\n\r\nok`],
    ["a chunk size that is none", `${CHUNKED}0x2\r\nok\r\n0\r\n\r\n`],
    ["a chunk that is longer than it says", `${CHUNKED}1\r\nok\r\n0\r\n\r\n`],
    ["more than the limit by length, before it comes", `${OK}Content-Length: 101\r\n\r\n`],
    ["more than the limit in chunks", `${CHUNKED}65\r\n${"x".repeat(101)}\r\n0\r\n\r\n`],
    ["more than the limit without a length", `${OK}\r\n${"x".repeat(101)}`],
    ["a head that never ends", `${OK}${"A: b\r\n".repeat(4_000)}`],
  ])("%s is refused", (_name, text) => {
    expect(read(text, piece)).toBe("wrong");
  });

  it.each([
    ["a length", `${LONG}\r\no`],
    ["chunks", `${CHUNKED}2\r\nok\r\n0\r\n`],
    ["its head alone", OK],
  ])("an answer with %s that breaks off is no answer", (_name, text) => {
    expect(read(text, piece)).toBe("more");
  });
});

it("bytes behind an answer end its connection: nobody knows whose answer they are", () => {
  expect(read(`${LONG}\r\nokHTTP/1.1 200 OK\r\n`, 4_096)).toMatchObject({ body: Buffer.from("ok"), isKept: false });
  expect(read(`${CHUNKED}0\r\n\r\nX`, 4_096)).toMatchObject({ body: Buffer.alloc(0), isKept: false });
});

it.each([
  ["a head", `${OK}A: ${"b".repeat(16 * 1024)}\r\n\r\n`],
  ["a line of chunks", `${CHUNKED}1;${"b".repeat(4_096)}\r\nx\r\n0\r\n\r\n`],
])("%s over its limit is refused also when it comes at once", (_name, text) => {
  expect(read(text, text.length)).toBe("wrong");
});

it("a head of as much as is allowed is read", () => {
  const fields = `${LONG}A: `;
  const head = `${fields}${"b".repeat(16 * 1024 - fields.length)}`;
  expect(read(`${head}\r\n\r\nok`, 65_536)).toMatchObject({ body: Buffer.from("ok") });
  expect(read(`${head}b\r\n\r\nok`, 65_536)).toBe("wrong");
});
