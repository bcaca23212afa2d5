import { formatAddress } from "@banyan/plugin-sdk";
import type { SettlePairingStep } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { formatOneTimeCode } from "../../src/access/one-time-code.ts";
import { listItems } from "../open-test-store.ts";
import { CoreDesk, type CoreDeskOptions } from "../turns/core-desk.ts";
import { faultAt } from "../turns/desk-fault.ts";

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
  it("gets a code, once as long as it holds, and no agent runs", async () => {
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

  it("is known by a name that is cut short and holds no half character", async () => {
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

  it("is the same whichever way the commit's answer was lost", async () => {
    const desk = await openDesk({ fault: faultAt("receive", "after") });
    expect(await desk.says("hello", "eve")).toEqual(["refused"]);
    expect(desk.paired).toHaveLength(1);
    expect(desk.heard("eve")).toEqual([expect.stringContaining(formatOneTimeCode(desk.paired[0]?.code ?? ""))]);
  });
});

describe("a crowd of strangers", () => {
  it("gets three codes; the others are told so once an hour, and who may talk is answered", async () => {
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

describe("the operator's word", () => {
  it("lets a stranger in from then on, in this account alone", async () => {
    const desk = await openDesk();
    await desk.says("hello", "eve");
    await settle(desk, "eve", "approved");
    expect(await desk.says("hello again", "eve")).toEqual(["stored"]);
    expect(desk.heard("eve").at(-1)).toBe("re: hello again");
    expect(await desk.says("me too", "mallory")).toEqual(["refused"]);
  });

  it("keeps a stranger silent, also one who was in", async () => {
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

  it("counts at once: what was decided on an older picture is decided again", async () => {
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

  it("that changes without end lets the plugin receive the batch again", async () => {
    const desk = await openDesk({ isAlwaysStale: true });
    await expect(desk.says("hello")).rejects.toThrow(
      /received by irc\/default: who may talk where changed 20 times at the same time; receive it again/,
    );
    expect(desk.runtime.turns).toEqual([]);
    expect((await desk.store.read.counts()).sessions).toBe(0);
  });
});
