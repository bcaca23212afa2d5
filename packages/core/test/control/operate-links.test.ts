import type { Store } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { createLinkOperations, type LinkOperations } from "../../src/control/operate-links.ts";
import type { RouteCheck } from "../../src/inbound/links.ts";
import { BanyanError } from "../../src/ports/errors.ts";
import { checkLinkedWriters } from "../../src/sessions/check-linked-writers.ts";
import { joinIdentityLinks, parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";
import { openTestStore } from "../open-test-store.ts";
import { createTestPorts } from "../ports/test-ports.ts";
import { writeIn } from "./written-session.ts";

const GENERATED = expect.stringMatching(/^p[a-z2-7]{16}$/);

interface Desk {
  readonly store: Store;
  readonly links: LinkOperations;
  refreshed: number;
  /** `person channel:id`, in their order. */
  stored(): Promise<readonly string[]>;
}

function open(configured: Readonly<Record<string, readonly string[]>> = {}, checkRoutes?: RouteCheck): Desk {
  const store = openTestStore();
  const desk: Desk = {
    store,
    refreshed: 0,
    links: createLinkOperations({
      store,
      ports: createTestPorts(),
      configuredLinks: parseIdentityLinks(configured),
      agentIds: ["main", "coding"],
      checkRoutes,
      refresh: async () => {
        desk.refreshed += 1;
      },
    }),
    stored: async () =>
      (await store.read.routes()).links.map(({ person, channel, peer }) => `${person} ${channel}:${peer}`).sort(),
  };
  return desk;
}

describe("add", () => {
  it("makes accounts one person under the name asked for, audited, and the gateway looks again", async () => {
    const desk = open();
    expect(await desk.links.add(["Telegram: 7", "webchat:operator"], "alice", "ada")).toEqual({
      person: "alice",
      accounts: ["telegram:7", "webchat:operator"],
      isOld: false,
    });
    expect(await desk.stored()).toEqual(["alice telegram:7", "alice webchat:operator"]);
    expect(desk.refreshed).toBe(1);
    expect(await desk.store.read.audit({ limit: 9 })).toMatchObject([
      { actor: "ada", action: "link-add", detail: "alice: telegram:7 webchat:operator" },
    ]);
  });

  it("makes up a name where none is given, and joins the one that there is", async () => {
    const desk = open({ ada: ["telegram:7"] });
    expect(await desk.links.add(["irc:1", "irc:2"], undefined, "x")).toMatchObject({ person: GENERATED });
    expect(await desk.links.add(["telegram:7", "webchat:operator"], undefined, "x")).toMatchObject({ person: "ada" });
    expect(await desk.stored()).toContain("ada webchat:operator");
  });

  it("does nothing where all stands so", async () => {
    const desk = open();
    await desk.links.add(["irc:1", "irc:2"], "alice", "x");
    expect(await desk.links.add(["irc:2", "irc:1"], "alice", "x")).toMatchObject({ isOld: true });
    expect(await desk.store.read.audit({ limit: 9 })).toHaveLength(1);
  });

  it.each([
    [["irc:1"], undefined, /^Linking accounts: one account cannot be linked, received irc:1; name two or more$/],
    [["irc:1"], "alice", /^Linking accounts as alice: one account cannot be linked/],
    [["irc:1", "@ada"], undefined, /no channel is named, received "@ada"; write a list of "channel:id"/],
    [["irc:1", "irc:2"], "Alice!", /the name begins with a-z or 0-9.*received "Alice!"/],
    [["irc:1", "telegram:7"], "bob", /telegram:7 is linked as ada; take "telegram:7" out of session.identityLinks.ada/],
  ])("refuses %j as %s", async (accounts, name, wrong) => {
    const desk = open({ ada: ["telegram:7", "irc:9"] });
    await expect(async () => desk.links.add(accounts, name, "x")).rejects.toThrow(wrong);
    expect(await desk.stored()).toEqual([]);
  });

  it("refuses a name whose conversation, with any agent, holds what somebody else wrote", async () => {
    const desk = open();
    await writeIn(desk.store, "agent:coding:dm:alice", "irc:eve");
    await expect(desk.links.add(["irc:1", "irc:2"], "alice", "x")).rejects.toMatchObject({
      code: "foreign_writers",
      message: expect.stringContaining("banyan sessions rekey agent:coding:dm:alice agent:coding:dm:alice-before"),
    });
  });

  it("decides again where the links changed meanwhile", async () => {
    const desk = open();
    let isFirst = true;
    const read = { ...desk.store.read };
    const links = createLinkOperations({
      store: {
        commit: desk.store.commit,
        read: {
          ...read,
          routes: async () => {
            const picture = await read.routes();
            if (isFirst) {
              isFirst = false;
              await desk.links.add(["irc:2", "irc:3"], "robert", "other");
            }
            return picture;
          },
        },
      },
      ports: createTestPorts(),
      configuredLinks: parseIdentityLinks({}),
      agentIds: ["main"],
      refresh: async () => undefined,
    });
    expect(await links.add(["irc:1", "irc:2"], undefined, "x")).toMatchObject({ person: "robert" });
  });
});

describe("remove", () => {
  it("parts nobody where the configuration forbids who would share a conversation then", async () => {
    const desk = open({}, async ({ links }) => {
      if (links.length !== 2) throw new BanyanError("shared_dm_refused", "two people would share it");
    });
    await desk.links.add(["irc:1", "irc:2"], "alice", "x");
    await expect(desk.links.remove("irc:1", "x")).rejects.toMatchObject({
      code: "shared_dm_refused",
      message: "The links were to be changed (alice: irc:1): two people would share it",
    });
    expect(await desk.stored()).toHaveLength(2);
    expect(await desk.links.add(["irc:1", "irc:2"], "alice", "x")).toMatchObject({ isOld: true });
  });

  it("takes a step towards order where a start is refused as it is", async () => {
    const refuse = async () => {
      throw new BanyanError("shared_dm_refused", "two people share it");
    };
    const desk = open({}, refuse);
    expect(await desk.links.add(["irc:1", "irc:2"], "alice", "x")).toMatchObject({ isOld: false });
  });

  it("decides again where the account writes its first message meanwhile", async () => {
    const desk = open();
    await desk.links.add(["irc:1", "irc:2", "irc:3"], "alice", "x");
    const read = desk.store.read.writers;
    let isFirst = true;
    Object.assign(desk.store.read, {
      writers: async (key: string) => {
        const rows = await read(key);
        if (isFirst) {
          isFirst = false;
          await writeIn(desk.store, "agent:main:dm:alice", "irc:1");
        }
        return rows;
      },
    });
    expect(await desk.links.remove("irc:1", "x")).toMatchObject({ goesOnAs: GENERATED });
    await checkLinkedWriters(desk.store, parseIdentityLinks({}), ["main"]);
  });

  it("parts one of three that wrote: the others go on under a new name", async () => {
    const desk = open();
    await desk.links.add(["irc:1", "irc:2", "irc:3"], "alice", "x");
    await writeIn(desk.store, "agent:main:dm:alice", "irc:1");
    expect(await desk.links.remove("irc:1", "x")).toEqual({ account: "irc:1", person: "alice", goesOnAs: GENERATED });
    expect(await desk.stored()).toEqual([
      expect.stringMatching(/^p\w{16} irc:2$/),
      expect.stringMatching(/^p\w{16} irc:3$/),
    ]);
    await checkLinkedWriters(desk.store, parseIdentityLinks({}), ["main"]);
  });

  it("dissolves a pair", async () => {
    const desk = open();
    await desk.links.add(["irc:1", "irc:2"], "alice", "x");
    expect(await desk.links.remove("irc:1", "x")).toEqual({ account: "irc:1", person: "alice", alone: "irc:2" });
    expect(await desk.stored()).toEqual([]);
    expect(desk.refreshed).toBe(2);
  });

  it.each([
    ["irc:9", /is not linked; banyan link list/],
    ["telegram:7", /take "telegram:7" out of session.identityLinks.ada in the configuration/],
  ])("leaves %s", async (account, wrong) => {
    const desk = open({ ada: ["telegram:7", "irc:8"] });
    await expect(desk.links.remove(account, "x")).rejects.toThrow(wrong);
  });

  it("parts nobody from a configured name whose conversation holds what he wrote, and names the way", async () => {
    const desk = open({ ada: ["telegram:7"] });
    await desk.links.add(["telegram:7", "irc:1"], undefined, "x");
    await writeIn(desk.store, "agent:main:dm:ada", "irc:1");
    await expect(desk.links.remove("irc:1", "x")).rejects.toThrow(
      /move the conversation away first: banyan sessions rekey agent:main:dm:ada agent:main:dm:ada-before/,
    );
  });

  it("mends a stored link that contradicts the configuration of today", async () => {
    const desk = open();
    await desk.links.add(["irc:1", "irc:2"], "alice", "x");
    const configured = parseIdentityLinks({ robert: ["irc:9", "irc:2"] });
    await expect(checkLinkedWriters(desk.store, configured, ["main"])).rejects.toThrow(/banyan link remove irc:2/);
    const mending = createLinkOperations({
      store: desk.store,
      ports: createTestPorts(),
      configuredLinks: configured,
      agentIds: ["main"],
      checkRoutes: async ({ links }) => void joinIdentityLinks(configured, links),
      refresh: async () => undefined,
    });
    expect(await mending.remove("irc:2", "x")).toEqual({ account: "irc:2", person: "alice", alone: "irc:1" });
    await checkLinkedWriters(desk.store, configured, ["main"]);
  });
});
