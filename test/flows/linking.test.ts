import { expect, test } from "vitest";
import { runBanyan } from "../stage/command-line.ts";
import { type GroveOptions, openGrove } from "../stage/grove.ts";
import { createListener } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

const CODE = /Your code is (?<code>[0-9A-Z]{4}-[0-9A-Z]{4})\./;
const NAME = /under the name `?(?<name>p[a-z2-7]{16})/;

/** The same state as the command line sees it, which brings no agent of the test's own. */
const OPERATOR = "operator.config.json";

async function openTown(session: Readonly<Record<string, unknown>> = {}) {
  const { telegram, env } = await openTelegram([7, 8]);
  const agent = createListener();
  const write = (named: typeof session) => JSON.stringify({ stateDir: "./state", session: named });
  const files: GroveOptions["files"] = { [OPERATOR]: write(session) };
  const grove = await openGrove({ env, runtimes: agent.runtimes, files, config: { ...agent.config, session } });
  return {
    ...agent,
    grove,
    ada: await telegram.user({ id: 7, firstName: "Ada" }),
    bob: await telegram.user({ id: 8, firstName: "Bob" }),
    web: grove.web("operator"),
    banyan: (...words: readonly string[]) => runBanyan(grove.folder, "--config", OPERATOR, ...words),
  };
}

type Town = Awaited<ReturnType<typeof openTown>>;

/** Ada links her Telegram and the web chat, and both are told. */
async function link({ ada, web }: Town): Promise<string> {
  await ada.says("/link");
  await ada.hears(CODE);
  const code = CODE.exec((await ada.messages()).at(-1)?.text ?? "")?.groups?.code ?? "";
  await web.says(`/link ${code}`);
  await web.hears(/^Linked: this account and telegram:7 are one conversation now/);
  await ada.hears(/^Linked: this account and webchat:operator are one conversation now.*If that was not you/);
  return NAME.exec((await ada.messages()).at(-1)?.text ?? "")?.groups?.name ?? "";
}

test("who links his Telegram and the web chat has one conversation on both, until he parts them", async () => {
  const town = await openTown();
  const { grove, ada, web, record } = town;
  await ada.says("before");
  await ada.hears("heard: before");
  const name = await link(town);
  await ada.says("the key is under the mat");
  await ada.hears("heard: the key is under the mat");
  await web.says("where was it?");
  await web.hears("heard: where was it?");
  expect(record.of(`agent:main:dm:${name}`).map(({ history }) => history.length)).toEqual([0, 2]);
  await grove.restart();
  await ada.says("/whoami");
  await ada.hears(new RegExp(`agent:main:dm:${name}`));

  await web.says("/unlink");
  await web.hears(/^Unlinked: this account is on its own again/);
  await web.says("alone");
  await web.hears("heard: alone");
  await ada.says("alone too");
  await ada.hears("heard: alone too");
  expect(record.seenBy("agent:main:webchat:dm:operator")).not.toContain("under the mat");
  expect(record.of("agent:main:telegram:dm:7").map(({ history }) => history.length)).toEqual([0, 2]);
  await grove.restart();
});

test("the operator sees who is whom and parts them beside the running gateway", async () => {
  const town = await openTown();
  const name = await link(town);
  expect(await town.banyan("link", "list")).toMatch(
    new RegExp(`PERSON.*\\n {2}${name} {2}telegram:7 .*link\\n {2}${name} {2}webchat:operator .*link\\n`),
  );
  expect(await town.banyan("link", "remove", "telegram:7")).toBe(
    "  telegram:7 is on its own again\n  so is webchat:operator, which was the only other one\n",
  );
  await town.ada.says("alone");
  await town.ada.hears("heard: alone");
  expect(town.record.of("agent:main:telegram:dm:7")).toHaveLength(1);
});

test("attack 8: a start that would show her writing to another is cured by the line it names", async () => {
  const alice = (...accounts: readonly string[]) => ({ identityLinks: { alice: accounts } });
  const { grove, ada, bob, record, config, banyan } = await openTown(alice("telegram:7", "webchat:operator"));
  await ada.says("canary-ada");
  await ada.hears("heard: canary-ada");
  const changed = { config: { ...config, session: alice("telegram:8", "webchat:operator") } };
  const refused = await grove.restart(changed).catch((error: unknown) => String(error));
  const [, cure = "none"] = /: banyan (sessions rekey \S+ \S+)$/.exec(String(refused)) ?? [];
  expect(await banyan(...cure.split(" "))).toBe("  agent:main:dm:alice goes on as agent:main:dm:alice-before\n");
  await grove.restart(changed);
  await bob.says("hello");
  await bob.hears("heard: hello");
  expect(record.of("agent:main:dm:alice").at(-1)?.history).toEqual([]);
  const rows = await grove.read((read) => read.sessions({ limit: 9 }));
  expect(rows.map(({ key }) => key)).toEqual(["agent:main:dm:alice", "agent:main:dm:alice-before"]);
});
