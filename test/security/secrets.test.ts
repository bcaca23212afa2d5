import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { callControl } from "@banyan/core";
import { call, createGate, fail, say, wait } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

/** Of the form that Telegram gives; `openTelegram` would take another. */
const SERVER_TOKEN = "canary-server-0123456789";
const PASSWORD = 'canary/pass"word?&=';
/** Stands where a secret would, and is none: it proves that the search finds what is there. */
const HARMLESS = "harmless-marker-4711";

const LEAKY = readFileSync(new URL("../stage/leaky-channel.ts", import.meta.url), "utf8");

/** Every file below a folder, with what stands in it. */
function readAll(folder: string): readonly { readonly name: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => ({ name: file.name, text: readFileSync(join(file.parentPath, file.name), "latin1") }));
}

async function openLeakyGrove() {
  const { telegram, env } = await openTelegram([7]);
  const botToken = env.TELEGRAM_BOT_TOKEN ?? "";
  const shown = createGate();
  const agent = createScriptedAgent((turn) => {
    const said = turn.input.input[0]?.text ?? "";
    if (said === "fail") return [fail(`The model refused ${botToken}`)];
    if (said === "look") return [call("read_file", { path: "notes.txt", note: botToken }), ...say("I looked.")];
    if (said === "grow") {
      return [...say(`It is ${botToken.slice(0, 20)}`, `${botToken.slice(20)} ${HARMLESS}`), wait(shown)];
    }
    return [...say(`heard: ${said} and ${botToken.slice(0, 20)}`, `${botToken.slice(20)} ${HARMLESS}`)];
  });
  const grove = await openGrove({
    ...agent,
    env: { ...env, LEAKY_PASSWORD: PASSWORD },
    files: { "leaky-channel.ts": LEAKY, "notes.txt": `The token is ${botToken}, the password ${PASSWORD}.` },
    config: {
      log: { level: "debug" },
      agents: { main: { runtime: "scripted", workspace: "." } },
      server: { port: 0, token: SERVER_TOKEN },
      plugins: ["./leaky-channel.ts"],
      channels: {
        leaky: {
          accounts: {
            default: { allowFrom: ["1"], password: "env:LEAKY_PASSWORD" },
            lost: { password: PASSWORD, mood: "connects-in-vain" },
          },
        },
      },
    },
  });
  const secrets = [botToken, SERVER_TOKEN, PASSWORD].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]);
  const holds = (text: string) => secrets.filter((secret) => text.includes(secret));
  return { telegram, grove, botToken, holds, shown };
}

test("attack 18: no secret stands in a log, an entry, a delivery, a file, a message, a status or an answer, whoever says it", async () => {
  const { telegram, grove, botToken, holds } = await openLeakyGrove();
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says(`the token is ${botToken} and ${SERVER_TOKEN}`);
  const heard = await ada.hears(/^heard: /);
  expect(heard.text).toBe(`heard: the token is [secret] and [secret] and [secret] ${HARMLESS}`);
  const web = grove.web("ada");
  await web.says(`/new ${PASSWORD}`);
  await web.hears(`heard: [secret] and [secret] ${HARMLESS}`);
  await web.says("look");
  await web.hears("I looked.");
  await web.says("fail");
  const failed = await web.hears(/refused/);

  const { url } = grove.open.gateway;
  const answers: string[] = [failed.text];
  const look = async (path: string, init: RequestInit = {}) =>
    answers.push(await (await fetch(url + path, init)).text());
  await look("/leaky");
  await look("/leaky/fail");
  await look("/healthz");
  await look("/api/webchat/messages?peer=ada");
  await look("/api/webchat/messages?peer=ada", { headers: { authorization: `Bearer ${SERVER_TOKEN}` } });
  await look("/nothing");
  await grove.rests();
  answers.push(JSON.stringify(await callControl(grove.stateDir, "status")));
  const [row] = (await grove.deliveries()).filter(({ state }) => state === "undeliverable");
  expect(row?.error).toMatch(/^Sending to https:\/\/leaky\.example\/bot\[secret\]/);
  answers.push(JSON.stringify(await grove.deliveries()));

  const whileItRuns = readAll(grove.stateDir);
  await grove.stop();
  const afterwards = readAll(grove.stateDir);
  expect(whileItRuns.map(({ name }) => name)).toEqual(expect.arrayContaining(["banyan.db", "banyan.db-wal"]));
  expect(afterwards.filter(({ text }) => text.includes(HARMLESS)).map(({ name }) => name)).toEqual(
    expect.arrayContaining(["banyan.db", expect.stringMatching(/\.jsonl$/)]),
  );
  for (const { name, text } of [...whileItRuns, ...afterwards]) expect([name, holds(text)]).toEqual([name, []]);
  for (const text of answers) expect([text, holds(text)]).toEqual([text, []]);
  expect(grove.log.length).toBeGreaterThan(10);
  expect(grove.log.join("\n")).toContain("[secret]");
  expect(grove.log.filter((line) => holds(line).length > 0)).toEqual([]);
});

test("attack 18: only the owner of the control socket is told the token, by the one question for it", async () => {
  const { grove, holds } = await openLeakyGrove();
  expect(holds(JSON.stringify(await callControl(grove.stateDir, "info")))).toContain(SERVER_TOKEN);
  const refused = await callControl(grove.stateDir, "outbox-retry", { id: SERVER_TOKEN }).catch(String);
  expect(refused).toMatch(/No delivery matches "\[secret\]"/);
});

test("attack 18: an answer that grows is shown without a secret that comes in pieces", async () => {
  const { grove, holds, botToken, shown } = await openLeakyGrove();
  const { url } = grove.open.gateway;
  const headers = { authorization: `Bearer ${SERVER_TOKEN}` };
  const stream = await fetch(`${url}/api/webchat/events?peer=ada`, { headers });
  await grove.web("ada").says("grow");
  const decoder = new TextDecoder();
  let events = "";
  for await (const chunk of stream.body ?? []) {
    events += decoder.decode(chunk, { stream: true });
    if (!events.includes(HARMLESS)) continue;
    shown.open();
    if (events.includes('"assistant"')) break;
  }
  expect(botToken.length).toBeGreaterThan(20);
  expect(events).toMatch(/event: progress\ndata: .*It is \[secret\]/);
  expect(holds(events)).toEqual([]);
  // Nor the half that came first.
  expect(events).not.toContain(botToken.slice(0, 12));
});
