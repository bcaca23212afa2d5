import { callGatewayLinkAdd, callGatewayLinkRemove, callGatewayPairing, callGatewayRekey } from "@banyan/core";
import { expect, test } from "vitest";
import { createListener } from "../stage/scripted-agent.ts";
import { openWireTown } from "../stage/wire-town.ts";

const CODE = /Your code is (?<code>[0-9A-Z]{4}-[0-9A-Z]{4}); its owner can let you in\.$/;
const CURE = /banyan sessions rekey (?<from>\S+) (?<to>\S+);/;

/** A gateway on which all direct chats are one conversation, on the stranger's channel. */
async function openTown(session: Readonly<Record<string, unknown>>, allowFrom: readonly string[] = []) {
  const { config, runtimes, record } = createListener();
  const town = await openWireTown({ runtimes, allowFrom, config: { ...config, session } });
  const { grove, says, hears, sentTo } = town;
  return {
    ...town,
    record,
    config,
    /** The stranger asks, and the operator lets him in with his code. */
    async letIn(id: string) {
      await says(id, "let me in");
      await grove.rests();
      const told = (await sentTo(id)).findLast((text) => CODE.test(text)) ?? "";
      await callGatewayPairing(grove.stateDir, "approve", CODE.exec(told)?.groups?.code ?? "");
    },
    deny: (id: string) => callGatewayPairing(grove.stateDir, "deny", `wire/default/${id}`),
    approve: (id: string) => callGatewayPairing(grove.stateDir, "approve", `wire/default/${id}`),
    async talks(id: string, text: string) {
      await says(id, text);
      await hears(id, `heard: ${text}`);
    },
    async rekey(error: unknown) {
      const { from = "", to = "" } = CURE.exec(String(error))?.groups ?? {};
      return callGatewayRekey(grove.stateDir, { from, to, acceptShared: false });
    },
  };
}

test.each([
  { session: { dmScope: "main" }, key: "agent:main:main", moved: "agent:main:dm:main-before" },
  { session: { scope: "global" }, key: "global", moved: "agent:main:dm:global-before" },
])("who is let in after another reads nothing of his: $key", async ({ session, key, moved }) => {
  const { grove, record, letIn, deny, approve, talks, says, sentTo, rekey } = await openTown(session);
  await letIn("13");
  await talks("13", "canary-of-13");
  await deny("13");
  const refused = await letIn("14").catch((error: unknown) => error);
  expect(String(refused)).toContain("wire/default/14 was to be let in: ");
  expect(String(refused)).toContain(`${key} holds writing of wire:13, and wire:14 would read it`);
  expect(await says("14", "am I in?")).toBe("refused");
  expect(await rekey(refused)).toMatchObject({ from: key, to: moved });
  await approve("14");
  await talks("14", "hello");
  expect(record.of(key).at(-1)?.history).toEqual([]);
  await grove.restart();
  await deny("14");
  const again = await approve("13").catch((error: unknown) => error);
  expect(await rekey(again)).toMatchObject({ from: key, to: `${moved}-2` });
  expect(await sentTo("14")).toEqual(expect.not.arrayContaining([expect.stringContaining("canary")]));
});

test("a start refuses to show a new owner what the old one wrote, and takes him back", async () => {
  const { grove, config, talks } = await openTown({ dmScope: "main" }, ["13"]);
  await talks("13", "canary-of-13");
  const withOwner = (id: string, more: object = {}) => ({
    config: {
      ...config,
      session: { dmScope: "main", ...more },
      plugins: ["./wire-channel.ts"],
      channels: { wire: { accounts: { default: { allowFrom: [id] } } } },
    },
  });
  await expect(grove.restart(withOwner("14"))).rejects.toMatchObject({ code: "foreign_writers" });
  await grove.restart(withOwner("13"));
  await grove.restart(withOwner("14", { acceptSharedDm: true }));
  await grove.restart(withOwner("14", { identityLinks: { ada: ["wire:13", "wire:14"] } }));
});

test("two accounts of one person are not parted where they would be two people in one conversation", async () => {
  const { grove, record, letIn, talks, says, hears } = await openTown({ dmScope: "main" }, ["11"]);
  await callGatewayLinkAdd(grove.stateDir, ["wire:11", "wire:22"], "ada");
  await letIn("22");
  await talks("22", "canary-of-22");
  await expect(callGatewayLinkRemove(grove.stateDir, "wire:22")).rejects.toThrow(
    /^The links were to be changed \(ada: wire:22\): .*main is one conversation.*2 allowed senders/s,
  );
  await says("22", "/unlink");
  await hears("22", "All direct chats are one conversation here already, so links change nothing.");
  await callGatewayPairing(grove.stateDir, "deny", "wire/default/22");
  await expect(callGatewayLinkRemove(grove.stateDir, "wire:22")).rejects.toThrow(
    "agent:main:main holds writing of wire:22, and wire:11 would read it",
  );
  await talks("11", "hello");
  expect(record.of("agent:main:main")).toHaveLength(2);
  await grove.restart();
});

test("a link that is gone from the configuration parts nobody who is in by a code", async () => {
  const identityLinks = { ada: ["wire:11", "wire:22"] };
  const { grove, config, letIn } = await openTown({ dmScope: "main", identityLinks }, ["11"]);
  await letIn("22");
  const channels = { wire: { accounts: { default: { allowFrom: ["11"] } } } };
  const parted = { ...config, session: { dmScope: "main" }, plugins: ["./wire-channel.ts"], channels };
  await expect(grove.restart({ config: parted })).rejects.toMatchObject({ code: "shared_dm_refused" });
});

test("who is in by the configuration's list is not kept out by a word about codes", async () => {
  const { deny } = await openTown({}, ["11"]);
  await expect(deny("11")).rejects.toThrow(
    "A sender was to be kept out: wire/default/11 is let in by channels.wire.accounts.default.allowFrom; take the id out there",
  );
});

test("a link code that was typed in a group is void", async () => {
  const { config, runtimes } = createListener();
  const { grove, says, sentTo } = await openWireTown({
    runtimes,
    config,
    allowFrom: ["1", "2"],
    account: { groups: { policy: "open" } },
  });
  const toldTo = (chat: string, text: RegExp) =>
    grove.until(`${text} in ${chat}`, async () => (await sentTo(chat)).findLast((told) => text.test(told)));
  await says("1", "/link");
  const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(await toldTo("1", /^Your code is/))?.[0] ?? "none";
  await says("1", `/link ${code}`, { kind: "group", chat: "99", addressed: true });
  expect(await toldTo("99", /^\/link works in a direct chat with me alone\. Others can read here/)).not.toContain(code);
  await says("2", `/link ${code}`);
  await toldTo("2", /^That code is wrong, used or expired\./);
});
