import { expect, test } from "vitest";
import { createAcpAgent } from "../stage/acp-agent.ts";
import { openGrove } from "../stage/grove.ts";
import { createStandingClock } from "../stage/hurried-clock.ts";
import { openTelegram } from "../stage/telegram-town.ts";

test("what a foreign agent asks leave for is asked of the person it works for, and the press is its answer", async () => {
  const agent = createAcpAgent();
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ config: agent.config, env });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("ask rm notes.md");
  await ada.hears(/The agent asks for permission: `?rm notes\.md/);
  await ada.presses("Yes");
  await ada.hears("answered yes", { once: true });
  await ada.says("ask rm other.md");
  await ada.hears(/other\.md/);
  await ada.presses("No");
  await ada.hears("answered no", { once: true });
  await grove.rests();
});

test("a question of a foreign agent outlives a restart: the agent goes on where it was and asks again, and the answer that came is its answer", async () => {
  const agent = createAcpAgent(["--resume"]);
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ config: agent.config, env });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("ask rm notes.md");
  await ada.hears(/The agent asks for permission/);
  await grove.restart();
  await ada.presses("Yes");
  await ada.hears("answered yes", { once: true });
  await grove.rests();
  expect((await ada.messages()).filter(({ text }) => text.includes("asks for permission"))).toHaveLength(1);
  expect(agent.journal().filter((line) => "new" in line)).toHaveLength(1);
});

test("in a group only the one who asked answers for the agent, once, and no leave that lasts is offered", async () => {
  const agent = createAcpAgent([], { profile: "ask" });
  const { telegram, env } = await openTelegram([7]);
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  const bots = [await telegram.bot()];
  const hall = await telegram.createRoom({ kind: "group", title: "Hall", creator: ada, members: [bob], bots });
  const channels = { telegram: { accounts: { default: { groups: { allow: [String(hall.chatId)] } } } } };
  await openGrove({ config: { ...agent.config, channels }, env });
  const [inHall, bobThere] = [hall.member(ada), hall.member(bob)];
  await inHall.says("@grove_bot ask rm notes.md");
  await inHall.hears(/The agent asks for permission/);
  await expect(inHall.presses("Always", { timeoutMs: 1 })).rejects.toThrow();
  expect((await bobThere.presses("Yes"))?.text).toBe("This button is for the one who asked.");
  expect((await inHall.presses("No"))?.text).toBe("On it.");
  await inHall.hears("answered no", { once: true });
  expect(agent.journal().filter((line) => "permission" in line)).toHaveLength(1);
});

test("a question of a foreign agent that nobody answers in time is a no", async () => {
  const agent = createAcpAgent();
  const clock = createStandingClock();
  const grove = await openGrove({ config: { ...agent.config, limits: { answerMinutes: 2 } }, ports: { clock } });
  const ada = grove.web("ada");
  await ada.says("ask rm notes.md");
  await ada.hears(/The agent asks for permission/);
  const answers = () => agent.journal().filter((line) => "permission" in line);
  clock.advance(60_000);
  expect(answers()).toEqual([]);
  await grove.until("the time to be over", () => {
    clock.advance(10_000);
    return answers()[0];
  });
  await ada.hears("answered no");
});

test("attack: a foreign agent that anybody reaches does not start without a profile, and neither does the gateway; under chat-safe it only talks", async () => {
  const agent = createAcpAgent();
  const { telegram, env } = await openTelegram([7]);
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  const bots = [await telegram.bot()];
  const hall = await telegram.createRoom({ kind: "group", title: "Hall", creator: ada, members: [bob], bots });
  const channels = { telegram: { accounts: { default: { groups: { allow: [String(hall.chatId)] } } } } };
  await expect(openGrove({ config: { ...agent.config, channels }, env })).rejects.toThrow(
    /agents\.main, by telegram\/default: anybody can write in this chat, and agents\.main\.acp\.profile does not say/,
  );
  expect(agent.journal()).toEqual([]);
  const safe = createAcpAgent([], { profile: "chat-safe" });
  await openGrove({ config: { ...safe.config, channels }, env });
  const inHall = hall.member(bob);
  await inHall.says("@grove_bot ask rm -r /");
  await inHall.hears(/answered no/);
  await ada.says("ask rm -r /");
  await ada.hears(/answered no/);
});
