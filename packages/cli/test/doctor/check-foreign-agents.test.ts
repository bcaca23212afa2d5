import { parseConfig } from "@banyan/core";
import { expect, test } from "vitest";
import { checkForeignAgents } from "../../src/doctor/check-foreign-agents.ts";

const HALL = { channels: { telegram: { accounts: { default: { groups: { allow: ["-1"] } } } } } };

function check(acp: object, input: object = {}) {
  const agents = { main: { runtime: "acp", acp } };
  return checkForeignAgents(parseConfig({ agents, ...input }, { folder: "/srv/bot" }), [], {});
}

test("a foreign agent in direct chats with known people needs no profile; where anybody writes it needs one", async () => {
  expect(await check({ agent: "claude" })).toEqual([]);
  expect(await check({ agent: "claude" }, HALL)).toEqual([
    {
      subject: "agents",
      level: "error",
      text: "checking the foreign agents: agents.main, by telegram/default: anybody can write in this chat, and agents.main.acp.profile does not say what the agent may do there",
      cure: 'set it to "chat-safe", or to "ask"',
    },
  ]);
  expect(await check({ agent: "claude", profile: "chat-safe" }, HALL)).toEqual([]);
});

test("a profile that a program cannot keep is found before anybody writes", async () => {
  expect(await check({ agent: "codex", profile: "chat-safe" })).toMatchObject([
    { text: expect.stringContaining('the profile "chat-safe" cannot be kept by codex'), cure: "use another agent" },
  ]);
  expect(await check({ agent: "pi", profile: "ask" })).toEqual([]);
  expect(await check({ agent: "pi", profile: "ask" }, HALL)).toMatchObject([{ level: "error" }]);
});

test("a profile that is none is refused with the configuration", () => {
  const agents = { main: { runtime: "acp", acp: { agent: "claude", profile: "yolo" } } };
  expect(() => parseConfig({ agents }, { folder: "/srv/bot" })).toThrow(/agents\.main\.acp\.profile/);
});
