import { describe, expect, it } from "vitest";
import type { Command } from "../../../src/commands/command.ts";
import { listHostCommands } from "../../../src/gateway-inbound.ts";
import { listChannelCommands } from "../../../src/inbound/commands/channel-command.ts";
import { TreeDesk } from "../../subagents/tree-desk.ts";

const commands = listHostCommands();

describe.each(commands)("/$name", ({ name, summary, summaries, parameters = [] }) => {
  it("is one that every platform can show", () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{0,31}$/);
    // Shown as plain text, in one line.
    expect(summary).toMatch(/^[^`*\n]{3,98}[^.`*\n]$/);
  });

  it("says what it does in German as well", () => {
    const { de } = summaries ?? {};
    expect(de).toMatch(/^[^`*\n]{3,98}[^.`*\n]$/);
  });

  it("takes what every platform can ask for: those that must be given first, each once", () => {
    for (const parameter of parameters) {
      expect(parameter.name).toMatch(/^[a-z][a-z0-9_]{0,31}$/);
      expect(parameter.summary).toMatch(/^[^`*\n]{3,98}[^.`*\n]$/);
      expect(parameter.choices?.length ?? 1).toBeGreaterThan(0);
      expect(parameter.choices?.length ?? 0).toBeLessThanOrEqual(25);
    }
    expect(new Set(parameters.map((parameter) => parameter.name)).size).toBe(parameters.length);
    const required = parameters.map(({ isRequired }) => isRequired);
    expect(required).toEqual(required.toSorted((one, other) => Number(other) - Number(one)));
  });
});

it("what is known without a gateway is what a connected account is given", async () => {
  const desk = await new TreeDesk().start();
  expect(desk.context?.commands).toEqual(commands);
  expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(["help", "new", "stop", "kill", "link"]));
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
});

it("each stands under its first name, and says where it works and what stands behind it", () => {
  const command = { usage: "/pair", summary: "pair up", decide: () => ({ answer: "" }) };
  const parameters = [{ name: "with", summary: "whom", isRequired: true, kind: "text" }] as const;
  const pair: Command = { ...command, name: "pair", aliases: ["p"], isDmOnly: true, parameters };
  expect(listChannelCommands([pair, { ...command, name: "two" }])).toEqual([
    { name: "pair", summary: "pair up", isDmOnly: true, parameters },
    { name: "two", summary: "pair up", isDmOnly: false },
  ]);
});

it("values that are joined by spaces, in quotes where they hold blanks, are a line that the host takes", async () => {
  const desk = await new TreeDesk().start();
  desk.plays(/^first/, () => "told");
  await desk.says('/spawn --label "words 1/3" first task');
  await desk.says('/subagents send "words 1/3" and then more');
  expect(desk.turns.at(-1)?.input[0]?.text).toBe("and then more");
  await desk.says("/subagents info words 1/3");
  expect(desk.heard().at(-1)).toMatch(/^\*\*words 1\/3\*\* · done/);
});
