import { type AddressParts, formatAddress, type InboundMessage } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import type { AccessPolicy } from "../../src/access/decide-access.ts";
import { buildRoutePicture } from "../../src/access/route-state.ts";
import { decideInbound } from "../../src/inbound/decide-inbound.ts";
import { parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";

const ACCESS: AccessPolicy = {
  dmPolicy: "allowlist",
  allowFrom: new Set(["7", " "]),
  groupPolicy: "disabled",
  isOperatorOnly: false,
};
const PLACE: AddressParts = { channel: "irc", account: "default", kind: "dm", chat: "7" };
const PICTURE = buildRoutePicture({ revision: 0, approved: [], links: [], chatMoves: [] }, parseIdentityLinks({}));
const LONGEST = 1_048_576;

function decide(more: Partial<InboundMessage>, access: Partial<AccessPolicy> = {}, place: Partial<AddressParts> = {}) {
  const address = formatAddress({ ...PLACE, ...place });
  const message: InboundMessage = { id: "1", address, sender: { id: "7" }, text: "hello", at: 1, ...more };
  const routes = {
    routes: [],
    defaultAgent: "main",
    scope: "per-sender",
    dmScope: "per-channel-peer",
  } as const;
  const commands = new Set(["new", "stop"]);
  const commandsWithMessage = new Set(["new"]);
  return decideInbound(message, {
    access: { ...ACCESS, ...access },
    routes,
    picture: PICTURE,
    commands,
    commandsWithMessage,
  });
}

describe("what is taken", () => {
  it("a message: its place, agent and session", () => {
    expect(decide({})).toEqual({
      status: "accepted",
      kind: "message",
      place: PLACE,
      agentId: "main",
      sessionKey: "agent:main:irc:dm:7",
    });
  });

  it.each([
    ["/new", undefined],
    ["/new  now listen ", "now listen"],
    ["/stop now listen", undefined],
  ])("the text behind %j goes on as %j", (text, followUp) => {
    expect(decide({ text })).toMatchObject({ kind: "command", ...(followUp === undefined ? {} : { followUp }) });
    expect("followUp" in decide({ text })).toBe(followUp !== undefined);
  });

  it.each<[string, Partial<InboundMessage>, string]>([
    ["a command", { text: "/new hello" }, "command"],
    ["a command nobody knows", { text: "/old hello" }, "message"],
    ["a file without words", { text: " ", attachments: [{ id: "f" }] }, "message"],
    ["the longest text", { text: "x".repeat(LONGEST) }, "message"],
    ["a text with our own marks", { text: "[completion runId=1] /new" }, "message"],
  ])("%s", (_name, message, kind) => {
    expect(decide(message)).toMatchObject({ status: "accepted", kind });
  });
});

describe("what is refused", () => {
  it.each<[string, Partial<InboundMessage>, Partial<AccessPolicy>, Partial<AddressParts>, string, boolean]>([
    ["an edit", { editedAt: 2 }, {}, {}, "edited", false],
    ["blanks", { text: " \n\t" }, {}, {}, "empty", false],
    ["nothing", { text: "", attachments: [] }, {}, {}, "empty", false],
    ["a text too long, and the sender is told", { text: "x".repeat(LONGEST + 1) }, {}, {}, "too_long", true],
    [
      "a text too long of a bot, which is told nothing",
      { text: "x".repeat(LONGEST + 1), sender: { id: "7", isBot: true } },
      {},
      {},
      "too_long",
      false,
    ],
    [
      "a text too long of a stranger",
      { text: "x".repeat(LONGEST + 1), sender: { id: "8" } },
      {},
      {},
      "too_long",
      false,
    ],
    [
      "a text too long when DMs are off",
      { text: "x".repeat(LONGEST + 1) },
      { dmPolicy: "disabled" },
      {},
      "too_long",
      false,
    ],
    ["a stranger, who is told", { sender: { id: "8" } }, {}, {}, "unknown_sender", true],
    ["a stranger's command", { sender: { id: "8" }, text: "/new" }, {}, {}, "unknown_sender", true],
    ["a stranger with a known name", { sender: { id: "8", displayName: "7" } }, {}, {}, "unknown_sender", true],
    ["a bot", { sender: { id: "7", isBot: true } }, {}, {}, "bot", false],
    ["a group", {}, {}, { kind: "group" }, "group", false],
    ["an id that is no part of a key", { sender: { id: " " } }, {}, {}, "no_agent", true],
    ["half a character as id", { sender: { id: "\udfff" } }, { dmPolicy: "open" }, {}, "no_agent", true],
    ["a blank id when all are let in", { sender: { id: "" } }, { dmPolicy: "open" }, {}, "no_agent", true],
    ["a blank thread", {}, {}, { thread: " " }, "no_agent", true],
  ])("%s", (_name, message, access, place, reason, isTold) => {
    const decision = decide(message, access, place);
    expect(decision).toMatchObject({ status: "refused", reason });
    expect("tell" in decision && decision.tell !== undefined).toBe(isTold);
  });
});
