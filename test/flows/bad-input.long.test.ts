import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createListener } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";
import { openWireTown } from "../stage/wire-town.ts";

const MEGABYTE = 1024 * 1024;

test("attack 12: a message of a megabyte is stored and answered whole; one byte more is refused with a sentence and not stored", async () => {
  const grove = await openGrove(createListener());
  const ada = grove.web("ada");
  const largest = "ä".repeat(MEGABYTE / 2);
  await ada.says(largest);
  const heard = [await ada.hears(/^heard: /)];
  await grove.rests();
  const answer = (await ada.transcript()).filter(({ role }) => role === "assistant").map(({ text }) => text);
  expect(heard).toHaveLength(1);
  expect(answer.join("")).toBe(`heard: ${largest}`);
  expect(await ada.saysInVain({ text: `${largest}x` })).toEqual({
    status: 413,
    sentence: `A message was posted: its text may have ${MEGABYTE} bytes, it has ${MEGABYTE + 1}; send it in parts`,
  });
  expect(await ada.saysInVain({ text: "x".repeat(7 * MEGABYTE) })).toMatchObject({ status: 413 });
  await ada.says("hello");
  await ada.hears("heard: hello");
  expect((await ada.transcript()).filter(({ role }) => role === "user")).toHaveLength(2);
});

const ODD_TEXTS = [
  "a\u0000b",
  "\u200bzero\u200bwidth",
  "\u202eright to left",
  "e\u0301 \ud83c\udf33",
  "</script>",
  "' OR 1=1 --",
  "__proto__",
];

test("attack 24: odd texts are stored and answered as they are, also after a restart", async () => {
  const agent = createListener();
  const grove = await openGrove(agent);
  const ada = grove.web("ada");
  for (const text of ODD_TEXTS) {
    await ada.says(text);
    await ada.hears(`heard: ${text}`);
  }
  expect(agent.record.attempts.map(({ input }) => input[0]?.text)).toEqual(ODD_TEXTS);
  await grove.restart();
  expect(await ada.lines()).toEqual(ODD_TEXTS.flatMap((text) => [`user: ${text}`, `assistant: heard: ${text}`]));
});

const REFUSED: readonly (readonly [message: Readonly<Record<string, unknown>>, sentence: RegExp])[] = [
  [{ text: "half \ud83c of a tree" }, /text: it holds a lone surrogate/],
  [{ text: " \n" }, /text: it is empty/],
  [{ text: 5 }, /text: /],
  [{ peer: "ada\u0000", text: "x" }, /peer: control characters and lone surrogates are not taken/],
  [{ peer: "ada\ud83c", text: "x" }, /peer: control characters and lone surrogates/],
  [{ peer: "", text: "x" }, /peer: /],
  [{ peer: "x".repeat(129), text: "x" }, /peer: /],
  [{ id: "m\u0000", text: "x" }, /id: control characters and lone surrogates are not taken/],
  [{ id: "\udf33", text: "x" }, /id: control characters and lone surrogates/],
];

test("attack 24: NULs and lone surrogates in ids, and texts that are none, are refused with a sentence each, and nothing is stored", async () => {
  const grove = await openGrove(createListener());
  for (const [message, sentence] of REFUSED) {
    const answer = await grove.web("ada").saysInVain(message);
    expect(answer, JSON.stringify(message)).toEqual({ status: 400, sentence: expect.stringMatching(sentence) });
    expect(answer.sentence).toMatch(/^A message was posted: .*; send \{"text"/);
  }
  expect(await grove.read((read) => read.counts())).toMatchObject({ sessions: 0, waitingItems: 0 });
});

test("attack 12: a body that is no message is refused with a sentence, and the next one is taken", async () => {
  const grove = await openGrove(createListener());
  const ada = grove.web("ada");
  for (const body of ["{text: hello}", "", "[]", "null", `${"[".repeat(10_000)}${"]".repeat(10_000)}`]) {
    const answer = await ada.posts(body);
    expect(answer).toEqual({ status: 400, body: { error: expect.stringMatching(/^A message was posted: .*; send /) } });
  }
  await ada.says("hello");
  await ada.hears("heard: hello");
});

test("attack 12: a key __proto__ in a body changes nothing", async () => {
  const grove = await openGrove(createListener());
  const ada = grove.web("ada");
  await ada.posts(
    '{"peer":"ada","text":"hello","__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
  );
  await ada.hears("heard: hello");
  expect(Reflect.get({}, "isAdmin")).toBeUndefined();
});

test("attack 31: who has no token, a wrong one, or comes from another site is refused before anything is read", async () => {
  const grove = await openGrove(createListener());
  const { url } = grove.open.gateway;
  const { token } = grove.open;
  const post = (headers: Record<string, string>) =>
    fetch(`${url}/api/webchat/messages`, { method: "POST", headers, body: JSON.stringify({ text: "hello" }) });
  expect((await post({})).status).toBe(401);
  expect((await post({ authorization: "Bearer wrong" })).status).toBe(401);
  expect((await post({ authorization: `Basic ${token}` })).status).toBe(401);
  expect((await post({ authorization: `Bearer ${token}`, origin: "https://evil.example" })).status).toBe(403);
  expect(await grove.read((read) => read.counts())).toMatchObject({ sessions: 0 });
});

test("attack 13: ids with separators, paths and quotes stay ids: each person has a session and a file of his own", async () => {
  const ids = ["../../etc/passwd", "a:b", "a/b", "a|b", "a%3Ab", "main", "x'--", "ADA", "ada"];
  const agent = createListener();
  const { grove, says, hears } = await openWireTown({ ...agent, allowFrom: ids });
  for (const id of ids) {
    await says(id, `I am ${id}`);
    await hears(id, `heard: I am ${id}`);
  }
  await grove.stop();
  const sessions = await grove.read((read) => read.sessions({ limit: 100 }));
  expect(new Set(sessions.map(({ key }) => key)).size).toBe(ids.length);
  expect(new Set(sessions.map(({ file }) => file.toLowerCase())).size).toBe(ids.length);
  for (const { file } of sessions) {
    expect(existsSync(join(grove.stateDir, "agents", "main", "sessions", file))).toBe(true);
  }
  expect(agent.record.attempts.every(({ history }) => history.length === 0)).toBe(true);
});

test("an id that can be no part of a key is refused, and the next message is answered", async () => {
  const agent = createListener();
  const { says, hears } = await openWireTown({ ...agent, account: { dmPolicy: "open" } });
  expect(await says("half \ud83c", "hello", { chat: "9" })).toBe("refused");
  expect(await says(" ", "hello", { chat: "9" })).toBe("refused");
  await says("1", "hello");
  await hears("1", "heard: hello");
  expect(agent.record.attempts).toHaveLength(1);
});

test("a text of more than a megabyte from a channel is refused, and its sender is told", async () => {
  const { says, hears } = await openWireTown(createListener());
  expect(await says("1", "x".repeat(MEGABYTE + 1))).toBe("refused");
  await hears("1", `Your message has ${MEGABYTE + 1} characters; at most ${MEGABYTE} are taken. Send it in parts.`);
  await says("1", "hello");
  await hears("1", "heard: hello");
});

test("attack 29: an edit of what was answered already is not answered again", async () => {
  const { telegram, env } = await openTelegram([7]);
  const agent = createListener();
  const grove = await openGrove({ env, ...agent });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const id = await ada.says("hello");
  await ada.hears("heard: hello");
  await ada.edits(id, "hello!");
  await ada.says("bye");
  await ada.hears("heard: bye");
  await grove.rests();
  expect(agent.record.attempts.map(({ input }) => input[0]?.text)).toEqual(["hello", "bye"]);
});

test("attack 25: SQL in an id, a name and a text is data", async () => {
  const ids = ["'; DROP TABLE items; --", "x' OR '1'='1", '"; DELETE FROM sessions; --'];
  const agent = createListener();
  const { grove, says, hears } = await openWireTown({ ...agent, allowFrom: [], account: { dmPolicy: "open" } });
  for (const id of ids) {
    await says(id, id, { id, name: id });
    await hears(id, `heard: ${id}`);
  }
  await grove.restart();
  const sessions = await grove.read((read) => read.sessions({ limit: 100 }));
  expect(new Set(sessions.map(({ key }) => key)).size).toBe(ids.length);
  expect(agent.record.attempts.map(({ input }) => input[0]?.text)).toEqual(ids);
});
