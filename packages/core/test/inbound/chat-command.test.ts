import { describe, expect, it } from "vitest";
import { parseChatCommand } from "../../src/inbound/chat-command.ts";

const NAMES = new Set(["new", "stop", "status", "who-am_i2"]);

describe("parseChatCommand", () => {
  it.each([
    ["/new", "new", ""],
    ["/NEW", "new", ""],
    ["  /stop \n", "stop", ""],
    ["/new  write a poem ", "new", "write a poem"],
    ["/new\nline one\nline two", "new", "line one\nline two"],
    ["/new\u00a0text", "new", "text"],
    ["/new /stop", "new", "/stop"],
    ["/who-am_i2", "who-am_i2", ""],
  ])("reads %j", (text, name, rest) => {
    expect(parseChatCommand(text, NAMES)).toEqual({ name, rest, isKnown: true });
  });

  it.each([
    ["/unknown text", "unknown", "text"],
    ["/newer", "newer", ""],
    ["/constructor", "constructor", ""],
    ["/tmp is full", "tmp", "is full"],
  ])("reads %j as one that is not known", (text, name, rest) => {
    expect(parseChatCommand(text, NAMES)).toEqual({ name, rest, isKnown: false });
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
    expect(parseChatCommand(text, NAMES)).toBeUndefined();
  });

  it("reads a megabyte of blanks at once", () => {
    const text = `/new${" ".repeat(1_000_000)}x`;
    expect(parseChatCommand(text, NAMES)).toEqual({ name: "new", rest: "x", isKnown: true });
    expect(parseChatCommand(`/${" ".repeat(1_000_000)}x`, NAMES)).toBeUndefined();
  });
});
