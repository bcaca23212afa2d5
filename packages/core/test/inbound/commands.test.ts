import { describe, expect, it } from "vitest";
import type { Command } from "../../src/commands/command.ts";
import { listHostCommands } from "../../src/gateway-inbound.ts";
import { CommandRegistry, listChannelCommands } from "../../src/inbound/commands.ts";
import { TreeDesk } from "../subagents/tree-desk.ts";

const registry = new CommandRegistry(
  ["new", "stop", "status", "who-am_i2"].map((name) => ({
    name,
    usage: name,
    summary: name,
    decide: () => ({ answer: "" }),
  })),
);

function parse(text: string) {
  const parsed = registry.parse(text);
  return parsed === undefined ? undefined : { name: parsed.command.name, rest: parsed.rest, isKnown: parsed.isKnown };
}

describe("a typed command", () => {
  it.each([
    ["/new", "new", ""],
    ["/NEW", "new", ""],
    ["  /stop \n", "stop", ""],
    ["/new  write a poem ", "new", "write a poem"],
    ["/new\nline one\nline two", "new", "line one\nline two"],
    ["/new\u00a0text", "new", "text"],
    ["/new /stop", "new", "/stop"],
    ["/who-am_i2", "who-am_i2", ""],
  ])("parses %j", (text, name, rest) => {
    expect(parse(text)).toEqual({ name, rest, isKnown: true });
  });

  it.each([
    ["/unknown text", "unknown", "text"],
    ["/newer", "newer", ""],
    ["/constructor", "constructor", ""],
    ["/tmp is full", "tmp", "is full"],
  ])("parses %j as one that is not known", (text, name, rest) => {
    expect(parse(text)).toEqual({ name, rest, isKnown: false });
  });

  it.each([
    "",
    "new",
    "/",
    "/ new",
    "//new",
    "/new.",
    "/new@bot",
    "please /new",
    "/\u212aew",
    "/__proto__",
    `/${"n".repeat(33)}`,
    "/usr/bin/env",
    "/etc/hosts is empty",
  ])("leaves %j to the agent", (text) => {
    expect(parse(text)).toBeUndefined();
  });

  it("parses a megabyte of blanks at once", () => {
    const text = `/new${" ".repeat(1_000_000)}x`;
    expect(parse(text)).toEqual({ name: "new", rest: "x", isKnown: true });
    expect(parse(`/${" ".repeat(1_000_000)}x`)).toBeUndefined();
  });
});

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

it("the list without a gateway is the list that a connected account gets", async () => {
  const desk = await new TreeDesk().start();
  expect(desk.context?.commands).toEqual(commands);
  expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(["help", "new", "stop", "kill", "link"]));
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
});

it("each is listed by its name, with where it works and its parameters", () => {
  const command = { usage: "/pair", summary: "pair up", decide: () => ({ answer: "" }) };
  const parameters = [{ name: "with", summary: "whom", isRequired: true, kind: "text" }] as const;
  const pair: Command = { ...command, name: "pair", aliases: ["p"], isDmOnly: true, parameters };
  expect(listChannelCommands([pair, { ...command, name: "two" }])).toEqual([
    { name: "pair", summary: "pair up", isDmOnly: true, parameters },
    { name: "two", summary: "pair up", isDmOnly: false },
  ]);
});

it("values joined by spaces, in quotes where they hold blanks, are a line that the host parses", async () => {
  const desk = await new TreeDesk().start();
  desk.plays(/^first/, () => "told");
  await desk.says('/spawn --label "words 1/3" first task');
  await desk.says('/subagents send "words 1/3" and then more');
  expect(desk.turns.at(-1)?.input[0]?.text).toBe("and then more");
  await desk.says("/subagents info words 1/3");
  expect(desk.heard().at(-1)).toMatch(/^\*\*words 1\/3\*\* · done/);
});
