import type { NewDelivery, RouteSnapshot, Store } from "@banyan/store";
import { beforeEach, describe, expect, it } from "vitest";
import { createPairingOperations, type PairingOperations } from "../../src/control/operate-pairing.ts";
import { BanyanError } from "../../src/ports/errors.ts";
import { ManualClock } from "../manual-clock.ts";
import { openTestStore } from "../open-test-store.ts";

const HOUR_MS = 3_600_000;
const EVE = "7KQ2MXPA";
const SENDERS = [
  ["eve", EVE],
  ["mallory", "00000001"],
] as const;

let clock = new ManualClock();
let store: Store;
let sent: NewDelivery[] = [];
let refreshed = 0;
let pairing: PairingOperations;
const listed = new Set<string>();
let checkRoutes: (routes: RouteSnapshot) => void = () => undefined;

beforeEach(async () => {
  clock = new ManualClock();
  store = openTestStore({ clock });
  sent = [];
  refreshed = 0;
  checkRoutes = () => undefined;
  listed.clear();
  let ids = 0;
  pairing = createPairingOperations({
    store,
    ports: { createId: () => `id${ids++}` },
    outbox: { enqueue: (rows) => void sent.push(...rows) },
    getChannel: () => ({
      audience: "known",
      text: { limit: 400, measure: (text) => text.length },
      policy: "at-least-once",
      completionPolicy: "at-least-once",
    }),
    refreshRoutes: async () => void refreshed++,
    checkRoutes: async (routes) => checkRoutes(routes),
    findAllowance: ({ senderId }) => (listed.has(senderId) ? "the list" : undefined),
  });
  const place = { channel: "irc", account: "default" };
  const items = SENDERS.map(([senderId, code]) => {
    const address = `irc/default/dm/${senderId}`;
    return {
      ...{ lane: "", kind: "message" as const, body: "{}", laneCap: 0, address, dedupe: senderId, nativeId: senderId },
      refused: "unknown_sender",
      pairing: {
        ...place,
        senderId,
        displayName: senderId.toUpperCase(),
        code,
        address,
        ttlMs: HOUR_MS,
        mostPending: 3,
      },
    };
  });
  await store.commit({ step: "receive", account: place, items });
});

const approved = async () => (await store.read.routes()).approved.map(({ senderId }) => senderId);

describe("approve", () => {
  it.each(["7KQ2-MXPA", "7kq2mxpa", " 7KQ2 MXPA ", "irc/default/eve"])("takes %j", async (target) => {
    expect(await pairing.approve(target, "test")).toEqual({
      channel: "irc",
      account: "default",
      senderId: "eve",
      displayName: "EVE",
      state: "approved",
    });
    expect(await approved()).toEqual(["eve"]);
    expect(refreshed).toBe(1);
  });

  it("tells the person in the DM in which he asked, once", async () => {
    await pairing.approve("7KQ2-MXPA", "test");
    await pairing.approve("7KQ2-MXPA", "test");
    expect(sent.map(({ address, body }) => [address, JSON.parse(body)])).toEqual([
      ["irc/default/dm/eve", { text: "You are in; write to me." }],
    ]);
    expect(await store.read.deliveries({ limit: 9 })).toHaveLength(1);
  });

  it("is on record with who did it", async () => {
    await pairing.approve("7KQ2-MXPA", "ada at the console");
    await pairing.deny("irc/default/eve", "command line");
    expect(await store.read.audit({ limit: 9 })).toMatchObject([
      { actor: "ada at the console", action: "pair_approved", detail: "irc/default/eve" },
      { actor: "command line", action: "pair_denied", detail: "irc/default/eve" },
    ]);
  });

  it.each(["7KQ2-MXPB", "EVE", "eve", "irc/other/eve", "irc/default/", "__proto__", ""])(
    "finds nobody by %j, least of all by a name",
    async (target) => {
      await expect(pairing.approve(target, "test")).rejects.toThrow(/No pending request for.*banyan pair list/);
      expect(await approved()).toEqual([]);
      expect(sent).toEqual([]);
    },
  );

  it("finds nobody by a code that has expired, by his id neither", async () => {
    await clock.advance(HOUR_MS);
    await expect(pairing.approve("7KQ2-MXPA", "test")).rejects.toThrow(/the code may have expired/);
    await expect(pairing.approve("irc/default/eve", "test")).rejects.toThrow(/the code may have expired/);
  });

  it("asks the configuration before, with all who would be in; two at once are judged one after the other", async () => {
    checkRoutes = ({ approved: all }) => {
      if (all.length > 1) throw new BanyanError("shared_dm_refused", "main is one conversation; use another scope");
    };
    const both = await Promise.allSettled([pairing.approve("irc/default/eve", "t"), pairing.approve("00000001", "t")]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await expect(pairing.approve("00000001", "t")).rejects.toMatchObject({
      code: "shared_dm_refused",
      message: "irc/default/mallory was to be let in: main is one conversation; use another scope",
    });
    expect(await approved()).toEqual(["eve"]);
    await pairing.approve("irc/default/eve", "t");
    await pairing.deny("irc/default/eve", "t");
    await pairing.approve("00000001", "t");
    expect(await approved()).toEqual(["mallory"]);
  });
});

it("judges anew where who is whom changes while somebody is let in", async () => {
  const audit = { actor: "x", action: "link-remove", detail: "" };
  const writes = [{ channel: "irc", peer: "eve", person: "ada" }];
  const seen: number[] = [];
  checkRoutes = ({ revision }) => {
    seen.push(revision);
    if (seen.length === 1) void store.commit({ step: "set_links", routeRevision: 0, writes, audit });
    else throw new BanyanError("shared_dm_refused", "main is one conversation");
  };
  await expect(pairing.approve(EVE, "t")).rejects.toMatchObject({ code: "shared_dm_refused" });
  expect(seen).toEqual([0, 1]);
  expect(await approved()).toEqual([]);
});

describe("deny", () => {
  it("takes the code away, tells nobody, and can be taken back", async () => {
    expect(await pairing.deny(EVE, "test")).toMatchObject({ senderId: "eve", state: "denied" });
    expect(sent).toEqual([]);
    expect(await approved()).toEqual([]);
    await clock.advance(2 * HOUR_MS);
    await pairing.approve("irc/default/eve", "test");
    expect(await approved()).toEqual(["eve"]);
  });

  it.each(["irc/default/eve", EVE, "irc/default/never/asked"])(
    "keeps nobody out whom a list lets in: %s",
    async (target) => {
      listed.add("eve").add("never/asked");
      await expect(pairing.deny(target, "test")).rejects.toThrow(
        /^A sender was to be kept out: irc\/default\/\S+ is let in by the list; take the id out there$/,
      );
      expect(await store.read.audit({ limit: 9 })).toEqual([]);
    },
  );

  it("puts out who was in", async () => {
    await pairing.approve(EVE, "test");
    await pairing.deny("irc/default/eve", "test");
    expect(await approved()).toEqual([]);
    expect(refreshed).toBe(2);
  });
});
