import { callGatewayPairing } from "@banyan/core";
import { expect, test } from "vitest";
import { runBanyan } from "../stage/command-line.ts";
import { type GroveOptions, openGrove } from "../stage/grove.ts";
import { createStandingClock } from "../stage/hurried-clock.ts";
import { createListener } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";
import { openWireTown } from "../stage/wire-town.ts";

const CODE = /Your code is (?<code>[0-9A-Z]{4}-[0-9A-Z]{4}); its owner can let you in\.$/;

/** Ada, who is on the list, and Bob, whom nobody knows yet, in front of the same bot. */
async function openTown(options: Pick<GroveOptions, "config" | "onPairing"> = {}) {
  const { telegram, env } = await openTelegram([7]);
  const agent = createListener();
  const config = { ...agent.config, ...options.config };
  const files = writeOperatorConfig(options.config);
  const grove = await openGrove({ ...options, env, runtimes: agent.runtimes, config, files });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  const banyan = (...words: readonly string[]) => runBanyan(grove.folder, "--config", OPERATOR, ...words);
  /** What the command line asks of a running gateway, without the time that a process takes to begin. */
  const approve = (target: string) => callGatewayPairing(grove.stateDir, "approve", target);
  const deny = (target: string) => callGatewayPairing(grove.stateDir, "deny", target);
  return { ...agent, grove, ada, bob, banyan, approve, deny };
}

/** The same gateway as the command line sees it, which brings no agent of the test's own. */
const OPERATOR = "operator.config.json";

function writeOperatorConfig(config: GroveOptions["config"]): Readonly<Record<string, string>> {
  const telegram = { accounts: { default: { token: "1:of-the-operator", allowFrom: ["7"] } } };
  return { [OPERATOR]: JSON.stringify({ stateDir: "./state", channels: { telegram }, ...config }) };
}

type Person = Awaited<ReturnType<typeof openTown>>["bob"];

async function readCode(person: Person): Promise<string> {
  await person.hears(CODE);
  const told = (await person.messages()).at(-1)?.text ?? "";
  return CODE.exec(told)?.groups?.code ?? "";
}

test("attack 9: a stranger gets a code, the operator lets him in with it, and he talks", async () => {
  const asked: string[] = [];
  const { record, grove, ada, bob, banyan } = await openTown({
    onPairing: ({ senderId, displayName }) => asked.push(`${displayName} ${senderId}`),
  });
  await bob.says("hello, canary-4711");
  const code = await readCode(bob);
  await bob.says("are you there?");
  await ada.says("hello");
  await ada.hears("heard: hello");
  expect(asked).toEqual(["Bob 8"]);
  expect(grove.log.join("\n")).toContain(code);
  expect(await banyan("pair", "list")).toMatch(
    new RegExp(`^ {2}CODE.*\\n {2}${code} {2}Bob {2}8 {3}telegram/default {2}pending .* in (1 h|\\d+ min)\\n$`),
  );
  expect(await banyan("pair", "approve", code.toLowerCase().replace("-", ""))).toBe(
    '  "Bob" (8) is in on telegram/default; banyan pair deny telegram/default/8 removes this access\n',
  );
  await bob.hears("You are in; write to me.");
  await bob.says("thanks");
  await bob.hears("heard: thanks");
  expect(record.of("agent:main:telegram:dm:8")).toHaveLength(1);
  expect(record.seenBy("agent:main:telegram:dm:8")).not.toContain("canary");
  expect((await bob.messages()).map(({ text }) => text)).toHaveLength(3);
  expect(await grove.read((read) => read.pairings({ limit: 9 }))).toMatchObject([{ senderId: "8", state: "approved" }]);
  expect(await grove.read((read) => read.audit({ limit: 9 }))).toMatchObject([
    { actor: "command line", action: "pair_approved", detail: "telegram/default/8" },
  ]);
});

test("who is denied hears nothing more, and who was in is out again; the operator can change his mind", async () => {
  const { record, ada, bob, approve, deny } = await openTown();
  await bob.says("hello");
  const code = await readCode(bob);
  expect(await deny(code)).toMatchObject({ senderId: "8", state: "denied" });
  await bob.says("hello?");
  await ada.says("ping");
  await ada.hears("heard: ping");
  expect(await bob.messages()).toHaveLength(1);
  await approve("telegram/default/8");
  await bob.says("now?");
  await bob.hears("heard: now?");
  await deny("telegram/default/8");
  await bob.says("and now?");
  // Updates come in order: what Ada says behind it has been answered.
  await ada.says("hello");
  await ada.hears("heard: hello");
  expect(record.of("agent:main:telegram:dm:8")).toHaveLength(1);
  await expect(approve("ZZZZ-ZZZZ")).rejects.toThrow(/No pending request for/);
});

test("a code outlives a restart, and is settled while no gateway runs", async () => {
  const { grove, bob, banyan } = await openTown();
  await bob.says("hello");
  const code = await readCode(bob);
  await grove.restart();
  expect(grove.open.pairings).toMatchObject([{ senderId: "8", displayName: "Bob", state: "pending" }]);
  await grove.stop();
  expect(await banyan("pair", "approve", code)).toContain('"Bob" (8) is in on telegram/default');
  await grove.restart();
  expect(grove.open.pairings).toEqual([]);
  await bob.hears("You are in; write to me.");
  await bob.says("hello again");
  await bob.hears("heard: hello again");
});

test("attack 7: under main a second person is not let in until it is said that they may read each other", async () => {
  const main = { session: { dmScope: "main" } };
  const { record, grove, ada, bob, approve, config } = await openTown({ config: main });
  await bob.says("hello");
  const code = await readCode(bob);
  const cure =
    /telegram\/default\/8 was to be let in: .*main is one conversation.*2 allowed senders.*per-channel-peer/s;
  await expect(approve(code)).rejects.toThrow(cure);
  await grove.restart({ config: { ...config, session: { dmScope: "main", acceptSharedDm: true } } });
  await approve(code);
  await bob.says("hello Ada");
  await bob.hears("heard: hello Ada");
  await ada.says("hello Bob");
  await ada.hears("heard: hello Bob");
  expect(record.of("agent:main:main")).toHaveLength(2);
  await expect(grove.restart({ config: { ...config, ...main } })).rejects.toMatchObject({ code: "shared_dm_refused" });
});

test("attack 9: three strangers get codes at a time; when theirs have expired the next ones do", async () => {
  const clock = createStandingClock();
  const agent = createListener();
  const { grove, says, sentTo } = await openWireTown({ ...agent, ports: { clock } });
  for (const id of ["11", "12", "13", "14"]) expect(await says(id, "let me in", { name: `Eve ${id}` })).toBe("refused");
  await grove.rests();
  for (const id of ["11", "12", "13"]) expect(await sentTo(id)).toEqual([expect.stringMatching(CODE)]);
  expect(await sentTo("14")).toEqual([expect.stringContaining("too many people ask to be let in right now")]);
  const [first] = await sentTo("11");
  const stale = CODE.exec(first ?? "")?.groups?.code ?? "";
  clock.advance(60 * 60_000);
  await says("14", "let me in");
  await says("11", "let me in");
  await grove.rests();
  expect(await sentTo("14")).toEqual([expect.anything(), expect.stringMatching(CODE)]);
  expect(await sentTo("11")).toEqual([first, expect.stringMatching(CODE)]);
  expect((await sentTo("11"))[1]).not.toBe(first);
  await expect(callGatewayPairing(grove.stateDir, "approve", stale)).rejects.toThrow(/No pending request for/);
  expect(agent.record.attempts).toEqual([]);
});

test("attack 9: a code lets in who was given it, whoever else shows it, and guessing in the chat does nothing", async () => {
  const agent = createListener();
  const { grove, says, hears, sentTo } = await openWireTown({ ...agent, allowFrom: [] });
  const codeOf = async (id: string) => CODE.exec((await sentTo(id))[0] ?? "")?.groups?.code ?? "";
  for (const [id, name] of [
    ["11", "Bob"],
    ["12", "Eve"],
  ] as const)
    expect(await says(id, "let me in", { name })).toBe("refused");
  await grove.rests();
  const [bobs, eves] = [await codeOf("11"), await codeOf("12")];
  expect(bobs).not.toBe(eves);
  // The operator types codes; a chat is no place to redeem one, neither another's nor a guessed one.
  for (const text of [bobs, `/pair ${bobs}`, `/link ${bobs}`, "pair approve wire/default/12", "0000-0000"])
    expect(await says("12", text, { name: "Bob" })).toBe("refused");
  expect(await callGatewayPairing(grove.stateDir, "approve", bobs)).toMatchObject({ senderId: "11" });
  expect(await says("12", "I am in", { name: "Bob" })).toBe("refused");
  expect(await says("11", "thanks")).toBe("stored");
  await hears("11", "heard: thanks");
  expect(agent.record.attempts.map(({ spec }) => spec.sessionKey)).toEqual(["agent:main:wire:dm:11"]);
  expect(await sentTo("12")).toHaveLength(1);
  expect(await callGatewayPairing(grove.stateDir, "approve", bobs)).toMatchObject({ senderId: "11" });
  expect(await says("12", "and now?", { name: "Bob" })).toBe("refused");
});
