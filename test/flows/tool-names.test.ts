import { checkToolNames } from "@banyan/core";
import { say } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";

test("every tool that an agent has can stand in its lists", async () => {
  const agent = createScriptedAgent((turn) => say(turn.spec.tools.map(({ name }) => name).join(" ")));
  const config = { agents: { main: { runtime: "scripted", tools: { exec: true } } } };
  const grove = await openGrove({ ...agent, config });
  const ada = grove.web("ada");
  await ada.says("which?");
  const { text } = await ada.hears(/exec/);
  const deny = text.split(" ");
  expect(deny.length).toBeGreaterThan(10);
  expect(() => checkToolNames({ main: { runtime: "demo", workspace: "/w", tools: { deny } } }, [])).not.toThrow();
});

test("a misspelt name in them is refused at the start, with the one that was meant", async () => {
  const config = { agents: { main: { runtime: "echo", tools: { deny: ["exce"] } } } };
  await expect(openGrove({ config })).rejects.toThrow(/agents\.main\.tools\.deny\[0\].*did you mean "exec"\?/);
});
