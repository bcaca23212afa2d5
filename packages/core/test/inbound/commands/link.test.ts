import { formatAddress } from "@banyan/plugin-sdk";
import type { RouteSnapshot } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { BanyanError } from "../../../src/ports/errors.ts";
import { parseSessionRow } from "../../../src/sessions/session-record.ts";
import type { CoreDesk } from "../../turns/core-desk.ts";
import { askCode, linkBoth, linkCommands, nameAccount, openDesk, writerPlace } from "./link-desk.ts";

const MINUTE_MS = 60_000;

describe("/link", () => {
  it("makes two accounts one conversation under a generated name, and notifies both", async () => {
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

  it("attack 9: accepts a code once, and only within ten minutes", async () => {
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

  it("parses a code as people type it; only the newest of an account is valid", async () => {
    const desk = await openDesk();
    const first = await askCode(desk, "ada");
    const second = await askCode(desk, "ada");
    await desk.says(`/link ${first}`, "bob");
    expect(desk.heard("bob").at(-1)).toMatch(/^That code is wrong/);
    await desk.says(`/LINK ${second.toLowerCase().replace("-", "")}`, "bob");
    expect(desk.heard("bob").at(-1)).toMatch(/^Linked/);
  });

  it("attack 9: counts wrong codes: after five none is accepted for an hour, not even the right one", async () => {
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

  it("answers an invalid code, the sender's own code, and accounts that are linked already", async () => {
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

  it("refuses accounts of different persons, and changes neither", async () => {
    const desk = await openDesk();
    await nameAccount(desk, "ada", "alice");
    await nameAccount(desk, "bob", "robert");
    await desk.says(`/link ${await askCode(desk, "ada")}`, "bob");
    expect(desk.heard("bob").at(-1)).toBe(
      "The other account is linked as `alice`, this one as `robert`. Send /unlink in one of them first.",
    );
    expect((await desk.store.read.routes()).links).toHaveLength(2);
  });

  it("refuses a conversation that holds messages of someone else, and says what to do", async () => {
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

it.each(["/link", "/link 7KQ2-MXPA", "/unlink"])("%s works in a direct chat only", async (text) => {
  const desk = await openDesk();
  const address = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "grove" });
  await desk.receive([desk.message(text, { address, addressed: true })]);
  expect(desk.sent.map((message) => message.text)).toEqual([
    `${text.split(" ", 1)} works in a direct chat with me alone.`,
  ]);
  expect(desk.steps.some((step) => step.step === "command" && step.link !== undefined)).toBe(false);
});

it("voids a code that was sent where others can read it, and says so without showing it", async () => {
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

it.each(["agent:main:main", "global"])("links change nothing where everyone shares %s", async (key) => {
  const desk = await openDesk();
  await nameAccount(desk, "ada", "alice");
  await desk.says("hello");
  const [session] = await desk.store.read.sessions({ limit: 1 });
  if (session === undefined) throw new Error("Ada has no session");
  const context = {
    seq: 1,
    answerId: "d1",
    record: { ...parseSessionRow(session), key },
    lane: await desk.store.read.lane(session.key),
    address: desk.message("/link").address,
    body: { id: "m", text: "/link", sender: { id: "ada" }, at: 0 },
    rest: "",
    hasFollowUp: false,
    agent: { id: "main", runtime: "x" },
    commands: [],
    now: 0,
    read: desk.store.read,
    answers: new Map(),
  };
  const decisions = await Promise.all(linkCommands(desk).map((command) => command.decide(context)));
  const answer = "All direct chats are one conversation here already, so links change nothing.";
  const { revision: routeRevision } = await desk.store.read.routes();
  const link = { routeRevision, writes: [], voidOffer: { channel: "irc", peer: "ada" } };
  expect(decisions).toEqual([{ answer }, { answer, link }]);
});

it("links do not change if the configuration forbids who would share a conversation", async () => {
  const asked: number[] = [];
  const checkRoutes = async ({ links }: RouteSnapshot) => {
    asked.push(links.length);
    if (links.length === 0 && asked.length > 1) throw new BanyanError("shared_dm_refused", "several people");
  };
  const desk = await openDesk({ checkRoutes });
  await linkBoth(desk);
  await desk.says("/unlink", "bob");
  expect(desk.heard("bob").at(-1)).toMatch(
    /^That is not done: direct chats share one conversation here, and one person would read in it/,
  );
  expect((await desk.store.read.routes()).links).toHaveLength(2);
  expect(asked).toEqual([2, 0, 2]);
});

/** In which sessions an account's words stand. */
async function sessionsOf(desk: CoreDesk): Promise<readonly string[]> {
  return (await desk.store.read.sessions({ limit: 99 })).map(({ key }) => key);
}

describe("/unlink", () => {
  it("separates both: each continues in a conversation of its own, and the shared one is kept", async () => {
    const desk = await openDesk();
    const name = await linkBoth(desk);
    await desk.says("shared", "ada");
    await desk.says("/unlink", "bob");
    expect(desk.heard("bob").at(-1)).toBe(
      "Unlinked: this account is on its own again. The conversation you shared is kept, but no one continues it.",
    );
    await desk.says("alone", "ada");
    await desk.says("alone too", "bob");
    expect((await desk.lines(`agent:main:dm:${name}`))[0]).toBe("user: shared");
    expect(await desk.lines(`agent:main:dm:${name}`)).toHaveLength(2);
    expect(await desk.lines("agent:main:irc:dm:ada")).toContain("user: alone");
    expect(await desk.lines("agent:main:irc:dm:bob")).toContain("user: alone too");
    expect((await desk.store.read.routes()).links).toEqual([]);
  });

  it("says that an account is not linked", async () => {
    const desk = await openDesk();
    await desk.says("/unlink");
    expect(desk.heard().at(-1)).toBe("This account is not linked.");
  });

  it("voids the account's open code", async () => {
    const desk = await openDesk();
    const code = await askCode(desk, "ada");
    await desk.says("/unlink", "ada");
    await desk.says(`/link ${code}`, "bob");
    expect(desk.heard("bob").at(-1)).toMatch(/^That code is wrong, used or expired/);
  });

  it("respects what someone writes in the shared conversation while it is decided", async () => {
    const desk = await openDesk();
    for (const peer of ["ada", "bob", "cleo"]) await nameAccount(desk, peer, "alice");
    const lane = "agent:main:dm:alice";
    await desk.says("mine", "ada");
    const read = desk.store.read.writers;
    const item = { lane, dedupe: "late", nativeId: "late", kind: "message", address: "none", body: "{}" } as const;
    const writer = { channel: "irc", peer: "bob" };
    let isFirst = true;
    Object.assign(desk.store.read, {
      writers: async (key: string) => {
        const rows = await read(key);
        if (!isFirst) return rows;
        isFirst = false;
        await desk.store.commit({ step: "receive", account: writerPlace, items: [{ ...item, laneCap: 9, writer }] });
        return rows;
      },
    });
    // From a thread, which is a session of its own: the command itself is no writing in the shared one.
    const address = formatAddress({ channel: "irc", account: "default", kind: "dm", chat: "bob", thread: "7" });
    await desk.receive([desk.message("/unlink", { address, sender: { id: "bob" } })]);
    expect(desk.sent.at(-1)?.text).toMatch(/^Unlinked/);
    const persons = (await desk.store.read.routes()).links.map(({ person }) => person);
    expect(persons).toEqual([expect.stringMatching(/^p\w{16}$/), expect.stringMatching(/^p\w{16}$/)]);
  });

  it("keeps the existing sessions", async () => {
    const desk = await openDesk();
    const name = await linkBoth(desk);
    await desk.says("shared", "ada");
    await desk.says("/unlink", "ada");
    expect(await sessionsOf(desk)).toContain(`agent:main:dm:${name}`);
  });
});
