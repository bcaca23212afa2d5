import type { InboundMessage } from "@banyan/plugin-sdk";
import { formatAddress } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { joinPieces } from "../../src/updates/album.ts";

function piece(id: number, part: Partial<InboundMessage> = {}): InboundMessage {
  const address = formatAddress({ channel: "telegram", account: "default", kind: "group", chat: "-5" });
  return { id: String(id), address, sender: { id: "7" }, text: "", at: id, attachments: [{ id: `f${id}` }], ...part };
}

test("T49: the pieces of an album are one message, in whatever order they come", () => {
  const joined = joinPieces([piece(10), piece(9, { text: "look" }), piece(11, { addressed: true })]);
  expect(joined).toMatchObject({ id: "9", at: 9, text: "look" });
  expect(joined?.attachments?.map(({ id }) => id)).toEqual(["f9", "f10", "f11"]);
});

test("an album that addresses the bot with any of its pieces does so as a whole", () => {
  const one = piece(1, { addressed: false });
  expect(joinPieces([one, piece(2, { addressed: true })])?.addressed).toBe(true);
  expect(joinPieces([one, piece(2, { addressed: false })])?.addressed).toBe(false);
});

test("a forwarded album quotes what each piece forwards, and says once what all say", () => {
  const quote = (name: string) => ({ senderId: "8", text: `Bob wrote:\n(${name})` });
  const pieces = ["a", "b"].map((name, id) => piece(id, { text: "(forwarded message)", quote: quote(name) }));
  expect(joinPieces(pieces)).toMatchObject({
    text: "(forwarded message)",
    quote: { senderId: "8", text: "Bob wrote:\n(a)\nBob wrote:\n(b)" },
  });
});

test("a message that is no album stays as it is", () => {
  expect(joinPieces([piece(1)])).toEqual(piece(1));
  expect(joinPieces([])).toBeUndefined();
});
