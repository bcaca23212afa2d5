import { expect, test } from "vitest";
import { openDiscord } from "../stage/discord-town.ts";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";
import { openWireTown } from "../stage/wire-town.ts";

const ASKS = /\*?\*?main\*?\*? wants to use `?read_file`?/;
const ALLOWED = /the well is deep/;
const WITHDRAWN = /Not asked any more: the agent's turn has ended\./;

/** An agent that reads the file it is told to; a person must allow each reading. */
function createReader() {
  return createScriptedAgent((turn) => async () => {
    for (const { text, completion } of turn.input.input) {
      if (completion !== undefined) await turn.say(`told: ${completion.result}`);
      else if (text.startsWith("spawn ")) {
        await turn.callTool("sessions_spawn", { task: text.slice("spawn ".length) });
        await turn.say("begun");
      } else {
        const result = await turn.callTool("read_file", { path: text });
        await turn.say(result.text);
      }
    }
    return undefined;
  });
}

const files = { "notes.md": "the well is deep", "other.md": "the hill is high" };

function configure(channels: object = {}) {
  const main = { runtime: "scripted", default: true, tools: { ask: ["read_file"] } };
  return { agents: { main }, channels };
}

async function openTelegramHall() {
  const agent = createReader();
  const { telegram, env } = await openTelegram([7]);
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  const hall = await telegram.createRoom({
    kind: "group",
    title: "Hall",
    creator: ada,
    members: [bob],
    bots: [await telegram.bot()],
  });
  const account = { groups: { allow: [String(hall.chatId)] } };
  const config = configure({ telegram: { accounts: { default: account } } });
  const grove = await openGrove({ runtimes: agent.runtimes, config, env, files });
  return { telegram, grove, agent, ada, bob, inHall: { ada: hall.member(ada), bob: hall.member(bob) } };
}

test("a tool that needs a person's word is asked for with buttons, and does what the press says", async () => {
  const { grove, ada } = await openTelegramHall();
  await ada.says("notes.md");
  await ada.hears(ASKS);
  expect((await ada.presses("Allow"))?.text).toBe("On it.");
  await ada.hears(ALLOWED, { once: true });
  await grove.rests();
  await ada.hears(/Allow \(Ada\)/);
  await ada.says("other.md");
  await ada.hears(/other\.md/);
  await ada.presses("Deny");
  await ada.hears(/read_file failed \(permission\): the person who was asked said no/, { once: true });
  await grove.rests();
  await ada.hears(/Deny \(Ada\)/);
});

test("attack: in a group only the one who asked can answer, by button or by word", async () => {
  const { grove, inHall } = await openTelegramHall();
  await inHall.ada.says("@grove_bot notes.md");
  await inHall.ada.hears(ASKS);
  expect((await inHall.bob.presses("Allow"))?.text).toBe("This button is for the one who asked.");
  await inHall.bob.says("/answer@grove_bot allow");
  await inHall.bob.hears("That question is for another person; only they can answer.", { once: true });
  await inHall.ada.says("/answer@grove_bot allow");
  await inHall.ada.hears(ALLOWED, { once: true });
  await grove.rests();
});

test("a question survives a restart: it is asked once, and the turn goes on with the answer", async () => {
  const { grove, ada } = await openTelegramHall();
  await ada.says("notes.md");
  await ada.hears(ASKS);
  await grove.restart();
  await ada.presses("Allow");
  await ada.hears(ALLOWED, { once: true });
  await grove.rests();
  expect((await ada.messages()).filter(({ text }) => ASKS.test(text))).toHaveLength(1);
});

test("an answer that comes while the gateway is away holds", async () => {
  const { grove, ada } = await openTelegramHall();
  await ada.says("notes.md");
  await ada.hears(ASKS);
  await grove.stop();
  await ada.says("/answer allow");
  await grove.restart();
  await ada.hears(ALLOWED, { once: true });
  await grove.rests();
});

test("what is stopped asks no more: its message says so, and the buttons are gone", async () => {
  const { grove, ada } = await openTelegramHall();
  await ada.says("notes.md");
  await ada.hears(ASKS);
  await ada.says("/stop");
  await ada.hears(/Stopped/);
  await ada.hears(WITHDRAWN);
  const asked = (await ada.messages()).find(({ text }) => ASKS.test(text));
  expect(asked?.versions.length).toBe(2);
  await expect(ada.presses("Allow")).rejects.toThrow(/button/);
  await ada.says("/answer allow");
  await ada.hears("Nothing is asked here just now.", { once: true });
  await grove.rests();
});

test("a press that comes behind /stop is told that nothing is asked any more", async () => {
  const { grove, ada } = await openTelegramHall();
  await ada.says("notes.md");
  await ada.hears(ASKS);
  await grove.stop();
  await ada.says("/stop");
  await ada.presses("Allow", { timeoutMs: 0 });
  await grove.restart();
  await ada.hears("That question is not asked any more.", { once: true });
  await ada.hears(WITHDRAWN);
  await grove.rests();
});

test("a double click is one answer", async () => {
  const { grove, ada } = await openTelegramHall();
  await ada.says("notes.md");
  await ada.hears(ASKS);
  await Promise.all([ada.presses("Allow"), ada.presses("Deny")]);
  await ada.hears(/That question (has its answer already|is not asked any more)\./, { once: true });
  await grove.rests();
});

test("a sub-agent asks the one who had it begun, in the chat where that was", async () => {
  const { grove, ada } = await openTelegramHall();
  await ada.says("spawn notes.md");
  await ada.hears(ASKS);
  await ada.presses("Allow");
  await ada.hears(/told: .*the well is deep/s, { once: true });
  await grove.rests();
});

test("on Discord the choices are buttons, too", async () => {
  const agent = createReader();
  const town = await openDiscord();
  const config = configure(town.channels);
  const grove = await openGrove({ runtimes: agent.runtimes, config, env: town.env, files });
  const { inDm } = town;
  await inDm.says("notes.md");
  const asked = await inDm.hears(ASKS);
  const rows: { components: { label: string; custom_id: string }[] }[] = JSON.parse(
    JSON.stringify(asked.message.components),
  );
  const allow = rows[0]?.components.find(({ label }) => label === "Allow");
  expect(rows[0]?.components.map(({ label }) => label)).toEqual(["Allow", "Deny"]);
  await (await inDm.presses(asked.messageId, allow?.custom_id ?? "")).acknowledged();
  await inDm.hears(ALLOWED, { once: true });
  await inDm.hears(/Allow\*?\*? \(/);
  await inDm.says("other.md");
  const second = await inDm.hears(/other\.md/);
  await inDm.says("/stop");
  const withdrawn = await inDm.hears(WITHDRAWN);
  expect([withdrawn.messageId, withdrawn.message.components]).toEqual([second.messageId, []]);
  await grove.rests();
});

test("in the web chat the question says how to answer, and the answer is a command", async () => {
  const agent = createReader();
  const grove = await openGrove({ runtimes: agent.runtimes, config: configure(), files });
  const operator = grove.web("operator");
  await operator.says("notes.md");
  await operator.hears(/Answer with `\/answer allow` \(Allow\), `\/answer deny` \(Deny\)/);
  await operator.says("/answer perhaps");
  await operator.hears("`perhaps` is none of the choices: `/answer allow` or `/answer deny`.");
  await operator.says("/answer allow");
  await operator.hears(ALLOWED);
  await grove.rests();
});

test("where a group has moved the question is asked there anew, and can be answered", async () => {
  const agent = createReader();
  const [old, moved] = ["-99", "-1099"];
  const { grove, says, sentTo, move } = await openWireTown({
    runtimes: agent.runtimes,
    config: { agents: configure().agents },
    files,
    account: { groups: { allow: [old, moved], requireMention: false } },
  });
  await says("5", "notes.md", { kind: "group", chat: old });
  await grove.until("the question", async () => ((await sentTo(old)).length > 0 ? true : undefined));
  await move(old, moved, "told");
  await grove.until("the question again", async () => ((await sentTo(moved)).length > 0 ? true : undefined));
  await says("5", "/answer allow", { kind: "group", chat: moved });
  await grove.until("the answer", async () =>
    (await sentTo(moved)).join().includes("the well is deep") ? true : undefined,
  );
  await grove.rests();
});
