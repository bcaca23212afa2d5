import type { Store } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { checkLinkedWriters } from "../../src/sessions/check-linked-writers.ts";
import { parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";
import { openTestStore } from "../open-test-store.ts";

/** A store in whose session these accounts have written. */
async function openStore(key: string, ...writers: readonly string[]): Promise<Store> {
  const store = openTestStore();
  const session = { key, sessionId: `id of ${key}`, agentId: "main", file: "f", expectRevision: 0, body: "{}" };
  const items = writers.map((writer, n) => {
    const [channel = "", peer = ""] = writer.split(":");
    const item = {
      lane: key,
      dedupe: `${n}`,
      nativeId: "n",
      kind: "message",
      address: "a",
      body: "{}",
      laneCap: 9,
    } as const;
    return { ...item, session, writer: { channel, peer } };
  });
  await store.commit({ step: "receive", account: { channel: "irc", account: "default" }, items });
  return store;
}

const KEY = "agent:main:dm:alice";

describe("checkLinkedWriters", () => {
  it.each<[string, string, string[], Record<string, string[]>]>([
    ["the person's own accounts wrote", KEY, ["irc:7", "xmpp:8"], { alice: ["irc:7", "xmpp:8"] }],
    ["nobody wrote", KEY, [], { alice: ["irc:7"] }],
    ["nobody is linked", KEY, ["irc:7"], {}],
    ["a stranger wrote in another session", "agent:main:irc:dm:9", ["irc:9"], { alice: ["irc:7"] }],
    [
      "a stranger wrote under an agent that is not asked about",
      "agent:other:dm:alice",
      ["irc:9"],
      { alice: ["irc:7"] },
    ],
  ])("passes where %s", async (_name, key, writers, links) => {
    await checkLinkedWriters(await openStore(key, ...writers), parseIdentityLinks(links), ["main"]);
  });

  it.each<[string, string, Record<string, string[]>]>([
    ["an account that is linked to nobody now", "irc:9", { alice: ["irc:7"] }],
    ["an account that is linked to somebody else", "irc:9", { alice: ["irc:7"], bob: ["irc:9"] }],
    ["the same id on another channel", "xmpp:7", { alice: ["irc:7"] }],
  ])("refuses the writing of %s, with what to do", async (_name, writer, links) => {
    const store = await openStore(KEY, "irc:7", writer);
    await expect(checkLinkedWriters(store, parseIdentityLinks(links), ["main", "other"])).rejects.toMatchObject({
      code: "foreign_writers",
      message: expect.stringContaining(`the session ${KEY} of alice holds writing of ${writer}`),
    });
  });
});
