import { formatAddress } from "@banyan/plugin-sdk";
import type { RouteSnapshot } from "@banyan/plugin-sdk/store";
import { describe, expect, it } from "vitest";
import { LINK_COMMANDS } from "../../../src/inbound/commands/link-commands.ts";
import { BanyanError } from "../../../src/ports/errors.ts";
import { ADA, CoreDesk } from "../../turns/core-desk.ts";
import { askCode, COMMANDS, linkBoth, nameAccount, openDesk, writerPlace } from "./link-desk.ts";

const MINUTE_MS = 60_000;

describe("/link", () => {
  it("makes two accounts one conversation under a generated name, and tells both", async () => {
    const desk = await openDesk();
    const name = await linkBoth(desk);
    expect(name).toMatch(/^p[a-z2-7]{16}$/);
    expect(desk.heard("bob").at(-1)).toBe(
      `Linked: this account and irc:ada are one conversation now, under the name \`${name}\`. /unlink undoes it.`,
    );
    expect(desk.heard("ada").at(-1)).toBe(
      `Linked: this account and irc:bob are one conversation now, under the name \`${name}\`. If that was not you, send /unlink.`,
    );
    await desk.says("from the one", "ada");
    await desk.says("from the other", "bob");
    expect(await desk.lines(`agent:main:dm:${name}`)).toEqual([
      "user: from the one",
      expect.stringMatching(/^assistant/),
      "user: from the other",
      expect.stringMatching(/^assistant/),
    ]);
    const audit = await desk.store.read.audit({ limit: 9 });
    expect(audit).toMatchObject([{ actor: "irc:bob", action: "link", detail: `${name}: irc:ada irc:bob` }]);
  });

  it("attack 9: takes a code once, and only within ten minutes", async () => {
    const desk = await openDesk();
    const late = await askCode(desk, "ada");
    await desk.ports.clock.advance(10 * MINUTE_MS);
    await desk.says(`/link ${late}`, "bob");
    expect(desk.heard("bob").at(-1)).toMatch(/^That code is wrong, used or expired\. 4 tries left\./);
    const code = await askCode(desk, "ada");
    await desk.says(`/link ${code}`, "bob");
    await desk.says("/unlink", "bob");
    await desk.says(`/link ${code}`, "bob");
    expect(desk.heard("bob").at(-1)).toMatch(/^That code is wrong, used or expired\. 3 tries left\./);
  });

  it("reads a code as people type it; the newest of an account is the only one", async () => {
    const desk = await openDesk();
    const first = await askCode(desk, "ada");
    const second = await askCode(desk, "ada");
    await desk.says(`/link ${first}`, "bob");
    expect(desk.heard("bob").at(-1)).toMatch(/^That code is wrong/);
    await desk.says(`/LINK ${second.toLowerCase().replace("-", "")}`, "bob");
    expect(desk.heard("bob").at(-1)).toMatch(/^Linked/);
  });

  it("attack 9: counts wrong codes: after five none is taken for an hour, not even the right one", async () => {
    const desk = await openDesk();
    const code = await askCode(desk, "ada");
    const wrong = ["0000-0000", "0000-0001", "0000-0002", "0000-0003", "0000-0004"];
    for (const guess of wrong) await desk.says(`/link ${guess}`, "bob");
    expect(desk.heard("bob").at(-1)).toMatch(/None is taken from you for an hour now/);
    await desk.says(`/link ${code}`, "bob");
    expect(desk.heard("bob").at(-1)).toBe("You have sent too many wrong codes; none is taken from you for an hour.");
    await desk.ports.clock.advance(60 * MINUTE_MS);
    await desk.says(`/link ${await askCode(desk, "ada")}`, "bob");
    expect(desk.heard("bob").at(-1)).toMatch(/^Linked/);
  });

  it("answers what is no code, the own code, and accounts that are one person already", async () => {
    const desk = await openDesk();
    await desk.says("/link hello", "bob");
    expect(desk.heard("bob").at(-1)).toMatch(/^That is no code: it has eight letters and digits/);
    const code = await askCode(desk, "ada");
    await desk.says(`/link ${code}`, "ada");
    expect(desk.heard("ada").at(-1)).toBe("That is this account's own code: send it from your other channel.");
    const name = await linkBoth(desk);
    await desk.says(`/link ${await askCode(desk, "ada")}`, "bob");
    expect(desk.heard("bob").at(-1)).toBe(`Both accounts are linked as \`${name}\` already.`);
  });

  it("refuses two who are different persons, and leaves both as they are", async () => {
    const desk = await openDesk();
    await nameAccount(desk, "ada", "alice");
    await nameAccount(desk, "bob", "robert");
    await desk.says(`/link ${await askCode(desk, "ada")}`, "bob");
    expect(desk.heard("bob").at(-1)).toBe(
      "The other account is linked as `alice`, this one as `robert`. Send /unlink in one of them first.",
    );
    expect((await desk.store.read.routes()).links).toHaveLength(2);
  });

  it("joins nobody to a conversation that holds what somebody else wrote, and names the cure", async () => {
    const desk = await openDesk();
    await nameAccount(desk, "ada", "alice");
    await desk.says("mine", "ada");
    const lane = "agent:main:dm:alice";
    const item = {
      lane,
      dedupe: "e",
      nativeId: "e",
      kind: "message",
      address: "none",
      body: "{}",
      laneCap: 9,
    } as const;
    const writer = { channel: "irc", peer: "eve" };
    await desk.store.commit({ step: "receive", account: writerPlace, items: [{ ...item, writer }] });
    await desk.says(`/link ${await askCode(desk, "ada")}`, "bob");
    expect(desk.heard("bob").at(-1)).toBe(
      "Not linked: the conversation of `alice` holds what an account wrote that is not linked to that name. Its operator can move it away: `banyan sessions rekey agent:main:dm:alice agent:main:dm:alice-before`",
    );
    expect((await desk.store.read.routes()).links).toHaveLength(1);
  });
});

it.each(["/link", "/link 7KQ2-MXPA", "/unlink"])("%s works in a direct chat alone", async (text) => {
  const desk = await openDesk();
  const address = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "grove" });
  await desk.receive([desk.message(text, { address, addressed: true })]);
  expect(desk.sent.map((message) => message.text)).toEqual([
    `${text.split(" ", 1)} works in a direct chat with me alone.`,
  ]);
  expect(desk.steps.some((step) => step.step === "command" && step.link !== undefined)).toBe(false);
});

it("voids a code that was sent where others read along, and says so without showing it", async () => {
  const desk = await openDesk();
  const code = await askCode(desk, "ada");
  const address = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "grove" });
  await desk.receive([desk.message(`/link ${code}`, { address, addressed: true })]);
  expect(desk.sent.at(-1)?.text).toBe(
    "/link works in a direct chat with me alone. Others can read here, so the code that you sent is void now; send /link in a direct chat for a new one.",
  );
  await desk.says(`/link ${code}`, "bob");
  expect(desk.heard("bob").at(-1)).toMatch(/^That code is wrong, used or expired/);
  expect((await desk.store.read.routes()).links).toEqual([]);
});

it.each(["agent:main:main", "global"])("links change nothing where all share %s", async (key) => {
  const desk = await openDesk();
  await desk.says("hello");
  const [record, lane] = [desk.sessions.find(ADA), await desk.store.read.lane(ADA)];
  if (record === undefined) throw new Error("Ada has no session");
  const { address } = desk.message("/link");
  const self = { channel: "irc", peer: "ada" };
  const book = ["ada", "bob"].map((peer) => ({ channel: "irc", peer, person: "alice", isConfigured: false }));
  const links = { revision: 3, book, self, failures: 0, writers: [], newCode: "x", newName: "pnew" };
  const around = {
    seq: 1,
    answerId: "d1",
    lane,
    address,
    body: { id: "m", text: "/link", sender: { id: "ada" }, at: 0 },
    rest: "",
    hasFollowUp: false,
    agent: { id: "main", runtime: "x" },
    commands: [],
    undelivered: 0,
    now: 0,
    answers: new Map(),
    links,
  };
  const context = { ...around, record: { ...record, key } };
  const decisions = await Promise.all(LINK_COMMANDS.map((command) => command.decide(context)));
  const answer = "All direct chats are one conversation here already, so links change nothing.";
  expect(decisions).toEqual([{ answer }, { answer, link: { routeRevision: 3, writes: [], voidOffer: self } }]);
});

it("changes no links where the configuration forbids who would share a conversation then", async () => {
  const asked: number[] = [];
  const checkRoutes = async ({ links }: RouteSnapshot) => {
    asked.push(links.length);
    if (links.length === 0 && asked.length > 1) throw new BanyanError("shared_dm_refused", "several people");
  };
  const desk = await new CoreDesk({ commands: COMMANDS, checkRoutes }).connect();
  await linkBoth(desk);
  await desk.says("/unlink", "bob");
  expect(desk.heard("bob").at(-1)).toMatch(
    /^That is not done: direct chats share one conversation here, and one person would read in it/,
  );
  expect((await desk.store.read.routes()).links).toHaveLength(2);
  expect(asked).toEqual([2, 0, 2]);
});
