import { formatAddress } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import type { CoreDesk } from "../../turns/core-desk.ts";
import { askCode, linkBoth, nameAccount, openDesk, writerPlace } from "./link-desk.ts";

/** In which sessions an account's words stand. */
async function sessionsOf(desk: CoreDesk): Promise<readonly string[]> {
  return (await desk.store.read.sessions({ limit: 99 })).map(({ key }) => key);
}

describe("/unlink", () => {
  it("parts both: each goes on in his own conversation, and the shared one stays as it is", async () => {
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

  it("counts what somebody writes in the shared conversation while it is decided", async () => {
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

  it("keeps the sessions that there were", async () => {
    const desk = await openDesk();
    const name = await linkBoth(desk);
    await desk.says("shared", "ada");
    await desk.says("/unlink", "ada");
    expect(await sessionsOf(desk)).toContain(`agent:main:dm:${name}`);
  });
});
