import { expect, it } from "vitest";
import { listCommands } from "../../../src/gateway-inbound.ts";
import { listChannelCommands } from "../../../src/inbound/commands/channel-command.ts";

it.each(listChannelCommands(listCommands([])))("/$name is one that every platform can show", ({ name, summary }) => {
  expect(name).toMatch(/^[a-z][a-z0-9_]{0,31}$/);
  // Shown as plain text, in one line.
  expect(summary).toMatch(/^[^`*\n]{3,100}[^.`*\n]$/);
});

it("each stands once, under its first name, and says where it works", () => {
  expect(listChannelCommands(listCommands([])).map(({ name }) => name)).toEqual(
    expect.arrayContaining(["help", "new", "stop"]),
  );
  expect(new Set(listChannelCommands(listCommands([])).map(({ name }) => name)).size).toBe(
    listChannelCommands(listCommands([])).length,
  );
  const command = { name: "pair", usage: "/pair", summary: "pair up", decide: () => ({ answer: "" }) };
  expect(
    listChannelCommands([
      { ...command, aliases: ["p"], isDmOnly: true },
      { ...command, name: "two" },
    ]),
  ).toEqual([
    { name: "pair", summary: "pair up", isDmOnly: true },
    { name: "two", summary: "pair up", isDmOnly: false },
  ]);
});
