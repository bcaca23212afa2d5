import { formatAddress } from "@banyan/plugin-sdk";
import type { SettlePairingStep } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { createOneTimeCode, formatOneTimeCode, parseOneTimeCode } from "../../src/inbound/pairing.ts";
import { createPorts } from "../../src/ports/ports.ts";
import { listItems } from "../open-test-store.ts";
import { CoreDesk, type CoreDeskOptions } from "../turns/core-desk.ts";
import { faultAt } from "../turns/desk-fault.ts";

const silent = () => undefined;
const PORTS = createPorts({ log: { debug: silent, info: silent, warn: silent, error: silent } });

it("attack 9: a code is eight of 32 symbols that are not misread, all equally likely", () => {
  const codes = Array.from({ length: 4_000 }, () => createOneTimeCode(PORTS));
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
  expect(new Set(codes).size).toBe(codes.length);
  const counts = Map.groupBy(codes.join(""), (symbol) => symbol);
  expect(counts.size).toBe(32);
  for (const found of counts.values()) expect(Math.abs(found.length - 1_000)).toBeLessThan(250);
});

it("uses every symbol", () => {
  const seen = new Set<string>();
  for (let first = 0; first < 256; first += 8) {
    const code = createOneTimeCode({
      randomBytes: (count) => Uint8Array.from({ length: count }, (_, at) => first + at),
    });
    for (const symbol of code) seen.add(symbol);
  }
  expect(seen.size).toBe(32);
});

it.each([
  ["7KQ2-MXPA", "7KQ2MXPA"],
  [" 7kq2mxpa ", "7KQ2MXPA"],
  ["7kq2 mxpa", "7KQ2MXPA"],
  ["oil0-0000", "01100000"],
  ["7KQ2-MXP", undefined],
  ["7KQ2-MXPAA", undefined],
  ["7KQ2-MXPU", undefined],
  ["7KQ2-MXPÄ", undefined],
  ["", undefined],
  ["telegram/default/7", undefined],
])("parses %j as %j", (typed, code) => {
  expect(parseOneTimeCode(typed)).toBe(code);
});

it("parses what it formats", () => {
  const code = createOneTimeCode(PORTS);
  expect(formatOneTimeCode(code)).toMatch(/^.{4}-.{4}$/);
  expect(parseOneTimeCode(formatOneTimeCode(code).toLowerCase())).toBe(code);
});

const HOUR_MS = 3_600_000;
const FULL = "This bot is private, and too many people ask to be let in right now. Write again in an hour.";

async function openDesk(options: CoreDeskOptions = {}): Promise<CoreDesk> {
  const desk = await new CoreDesk(options).connect();
  desk.access = { ...desk.access, dmPolicy: "pairing", allowFrom: new Set(["ada"]) };
  return desk;
}

async function settle(desk: CoreDesk, senderId: string, to: SettlePairingStep["to"]): Promise<void> {
  const audit = { actor: "test", action: to, detail: senderId };
  const place = { channel: "irc", account: "default", senderId };
  await desk.store.commit({ step: "settle_pairing", ...place, to, deliveries: [], audit });
  await desk.routeState.refresh();
}

describe("a stranger", () => {
  it("gets a code, once while it is valid, and no agent runs", async () => {
    const desk = await openDesk();
    expect(await desk.says("canary-4711, let me in", "eve")).toEqual(["refused"]);
    await desk.says("please", "eve");
    await desk.says("/status", "eve");
    const [{ code } = { code: "" }] = desk.paired;
    expect(desk.heard("eve")).toEqual([
      `This bot is private. Your code is ${formatOneTimeCode(code)}; its owner can let you in.`,
    ]);
    expect(desk.paired).toHaveLength(1);
    expect(desk.paired[0]).toMatchObject({ channel: "irc", account: "default", senderId: "eve" });
    expect(desk.runtime.turns).toEqual([]);
    expect((await desk.store.read.counts()).sessions).toBe(0);
    const items = await listItems(desk.store);
    expect(items).toHaveLength(3);
    expect(JSON.stringify([items, await desk.store.read.deliveries({ limit: 9 })])).not.toContain("canary");
    expect(await desk.says("hello")).toEqual(["stored"]);
  });

  it("gets another code when the first one has expired", async () => {
    const desk = await openDesk();
    await desk.says("hello", "eve");
    await desk.ports.clock.advance(HOUR_MS - 1);
    await desk.says("hello?", "eve");
    expect(desk.paired).toHaveLength(1);
    await desk.ports.clock.advance(1);
    await desk.says("hello??", "eve");
    expect(new Set(desk.paired.map(({ code }) => code)).size).toBe(2);
    expect(desk.heard("eve")).toHaveLength(2);
    expect(await desk.store.read.pairings({ states: ["pending"], limit: 9 })).toHaveLength(1);
  });

  it("who sends many messages in one batch gets one code", async () => {
    const desk = await openDesk();
    const batch = Array.from({ length: 50 }, (_, n) => desk.message(`${n}`, { sender: { id: "eve" } }));
    expect(new Set(await desk.receive(batch))).toEqual(new Set(["refused"]));
    expect(desk.paired).toHaveLength(1);
    expect(desk.heard("eve")).toHaveLength(1);
  });

  it("is shown by a name that is cut and holds no half character", async () => {
    const desk = await openDesk();
    const sender = { id: " eve ", displayName: `  ${"e".repeat(63)}🌱 and more` };
    await desk.receive([
      desk.message("hello", {
        sender,
        address: formatAddress({ channel: "irc", account: "default", kind: "dm", chat: "eve" }),
      }),
    ]);
    const [row] = await desk.store.read.pairings({ limit: 9 });
    expect(row?.senderId).toBe("eve");
    expect(row?.displayName).toMatch(/^e{63}\ufffd$/);
  });

  it("gets the same code however the commit's answer was lost", async () => {
    const desk = await openDesk({ fault: faultAt("receive", "after") });
    expect(await desk.says("hello", "eve")).toEqual(["refused"]);
    expect(desk.paired).toHaveLength(1);
    expect(desk.heard("eve")).toEqual([expect.stringContaining(formatOneTimeCode(desk.paired[0]?.code ?? ""))]);
  });
});

describe("a crowd of strangers", () => {
  it("gets three codes; the others get a notice once an hour, and people with access are answered", async () => {
    const desk = await openDesk();
    const crowd = Array.from({ length: 40 }, (_, n) => `eve-${n}`);
    const flood = [...crowd, ...crowd, ...crowd].map((id) => desk.message("let me in", { sender: { id } }));
    await desk.receive([...flood, desk.message("hello")]);
    expect(desk.paired.map(({ senderId }) => senderId)).toEqual(crowd.slice(0, 3));
    for (const id of crowd.slice(3)) expect(desk.heard(id)).toEqual([FULL]);
    for (const id of crowd.slice(0, 3)) expect(desk.heard(id)).toHaveLength(1);
    expect(desk.heard()).toEqual(["re: hello"]);
    await settle(desk, "eve-0", "denied");
    await desk.says("and now?", "eve-7");
    expect(desk.heard("eve-7")).toEqual([FULL, expect.stringContaining("Your code is")]);
    expect(desk.paired).toHaveLength(4);
  });
});

describe("the operator's decision", () => {
  it("allows a stranger from then on, on this account only", async () => {
    const desk = await openDesk();
    await desk.says("hello", "eve");
    await settle(desk, "eve", "approved");
    expect(await desk.says("hello again", "eve")).toEqual(["stored"]);
    expect(desk.heard("eve").at(-1)).toBe("re: hello again");
    expect(await desk.says("me too", "mallory")).toEqual(["refused"]);
  });

  it("silences a stranger, also one who was allowed", async () => {
    const desk = await openDesk();
    await desk.says("hello", "eve");
    await settle(desk, "eve", "approved");
    await settle(desk, "eve", "denied");
    const heard = desk.heard("eve").length;
    expect(await desk.says("hello?", "eve")).toEqual(["refused"]);
    await desk.ports.clock.advance(2 * HOUR_MS);
    await desk.says("hello??", "eve");
    expect(desk.heard("eve")).toHaveLength(heard);
    expect(desk.paired).toHaveLength(1);
  });

  it("counts at once: a message that was decided on an older view is decided again", async () => {
    const desk = await openDesk();
    await desk.says("hello", "eve");
    const audit = { actor: "test", action: "approved", detail: "eve" };
    const place = { channel: "irc", account: "default", senderId: "eve" };
    await desk.store.commit({ step: "settle_pairing", ...place, to: "approved", deliveries: [], audit });
    expect(await desk.says("am I in?", "eve")).toEqual(["stored"]);
    expect(desk.heard("eve").at(-1)).toBe("re: am I in?");
    const revoked = { step: "settle_pairing", ...place, to: "denied", deliveries: [], audit } as const;
    await desk.store.commit(revoked);
    expect(await desk.says("still?", "eve")).toEqual(["refused"]);
  });

  it("that keeps changing makes the plugin receive the batch again", async () => {
    const desk = await openDesk({ isAlwaysStale: true });
    await expect(desk.says("hello")).rejects.toThrow(
      /^Receiving a batch for irc\/default: the routes changed 20 times while it was decided; receive it again/,
    );
    expect(desk.runtime.turns).toEqual([]);
    expect((await desk.store.read.counts()).sessions).toBe(0);
  });
});
