import { expect, test } from "vitest";
import { openDiscord } from "../stage/discord-town.ts";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

const CODE = /Your code is \*{0,2}(?<code>[0-9A-Z]{4}-[0-9A-Z]{4})/;
const NAME = /under the name `?(?<name>p[a-z2-7]{16})/;

/** Ada on Telegram, on Discord and in the web chat, in front of one agent; a child that is told to dig works until the gate opens. */
async function openThreeChannels() {
  const gate = Promise.withResolvers<void>();
  const agent = createScriptedAgent((turn) => async () => {
    for (const { text, completion } of turn.input.input) {
      if (completion !== undefined) await turn.say(`told: ${completion.label} ${completion.outcome}\n`);
      else if (text.startsWith("spawn ")) {
        await turn.callTool("sessions_spawn", JSON.parse(text.slice("spawn ".length)));
        await turn.say("begun");
      } else {
        if (text.startsWith("dig")) await turn.waitFor(gate.promise);
        await turn.say(`heard: ${text}`);
      }
    }
    return undefined;
  });
  const { telegram, env } = await openTelegram([7]);
  const town = await openDiscord();
  const config = { agents: { main: { runtime: "scripted", default: true } }, channels: town.channels };
  const grove = await openGrove({ runtimes: agent.runtimes, config, env: { ...env, ...town.env } });
  const phone = await telegram.user({ id: 7, firstName: "Ada" });
  return { grove, record: agent.record, gate, phone, desk: town.inDm, web: grove.web("operator") };
}

type Town = Awaited<ReturnType<typeof openThreeChannels>>;

async function askCode({ phone }: Town): Promise<string> {
  await phone.says("/link");
  const { text } = await phone.hears(CODE);
  return CODE.exec(text)?.groups?.code ?? "";
}

/** The code that Telegram gave goes to Discord, the next one to the web chat. Resolves with the person's name. */
async function linkAll(town: Town): Promise<string> {
  const { phone, desk, web } = town;
  await desk.says(`/link ${await askCode(town)}`);
  await desk.hears(/^Linked: this account and telegram:7 are one conversation now/);
  const { text } = await phone.hears(/^Linked: this account and discord:\d+ are one conversation now/);
  const name = NAME.exec(text)?.groups?.name ?? "";
  await web.says(`/link ${await askCode(town)}`);
  await web.hears(/^Linked: this account and telegram:7 are one conversation now/);
  return name;
}

test("a person talks on Telegram, goes on in Discord and then in the web chat, in one session that knows it all", async () => {
  const town = await openThreeChannels();
  const { grove, record, phone, desk, web } = town;
  const key = `agent:main:dm:${await linkAll(town)}`;
  await phone.says("the key is under the mat");
  await phone.hears("heard: the key is under the mat");
  await desk.says("and the dog is in");
  await desk.hears("heard: and the dog is in");
  await web.says("what did I say?");
  await web.hears("heard: what did I say?");
  expect(record.of(key).map(({ history }) => history.length)).toEqual([0, 2, 4]);
  expect(JSON.stringify(record.of(key).at(-1)?.history)).toMatch(/under the mat.*the dog is in/);
  await grove.restart();
  await phone.says("and now?");
  await phone.hears("heard: and now?");
  expect(record.of(key).at(-1)?.history.length).toBe(6);
  await grove.rests();
  for (const said of [await phone.messages(), await desk.messages()])
    expect(said.some(({ text }) => text === "heard: what did I say?")).toBe(false);
});

test("what a sub-agent has found goes to the channel that asked, wherever she has gone on meanwhile", async () => {
  const town = await openThreeChannels();
  const { grove, gate, phone, desk, web } = town;
  await linkAll(town);
  await desk.says('spawn {"label":"census","task":"dig"}');
  await desk.hears("begun");
  await phone.says("I am on my way");
  await phone.hears("heard: I am on my way");
  await web.says("at the desk");
  await web.hears("heard: at the desk");
  gate.resolve();
  await desk.hears(/told: census done/);
  await grove.rests();
  const elsewhere = [...(await phone.messages()), ...(await web.transcript())].map(({ text }) => text).join("\n");
  expect(elsewhere).not.toContain("told: census");
});

test("/unlink takes one channel out, and the others stay one conversation without what was said before", async () => {
  const town = await openThreeChannels();
  const { grove, record, phone, desk, web } = town;
  const name = await linkAll(town);
  await phone.says("canary of the phone");
  await phone.hears("heard: canary of the phone");
  await phone.says("/unlink");
  await phone.hears(/^Unlinked: this account is on its own again.*discord:\d+ and webchat:operator stay linked/s);
  await phone.says("alone");
  await phone.hears("heard: alone");
  expect(record.of("agent:main:telegram:dm:7").at(-1)?.history).toEqual([]);
  await desk.says("still two");
  await desk.hears("heard: still two");
  await web.says("so we are");
  await web.hears("heard: so we are");
  const last = record.attempts.at(-1);
  expect(last?.history).toHaveLength(2);
  expect(JSON.stringify(last)).not.toContain("canary of the phone");
  await web.says("/whoami");
  const { text } = await web.hears(/agent:main:dm:p[a-z2-7]{16}/);
  expect(text).not.toContain(name);
  await grove.rests();
});
