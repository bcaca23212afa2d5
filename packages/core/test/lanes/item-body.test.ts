import { formatAddress } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { formatItemBody, parseItemBody } from "../../src/lanes/item-body.ts";

it("a message is kept as it was written, without what only its route was decided by", () => {
  const address = formatAddress({ channel: "irc", account: "work", kind: "channel", chat: "hall" });
  const sender = { id: "7", displayName: "Ada", roles: ["5", "6"] };
  const message = { id: "m1", address, guild: "900", sender, text: "hello", at: 5, addressed: true } as const;
  const body = { id: "m1", sender: { id: "7", displayName: "Ada" }, text: "hello", at: 5 };
  expect(parseItemBody(formatItemBody(message))).toEqual(body);
});
