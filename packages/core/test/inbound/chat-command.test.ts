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
    expect(parseChatCommand(text, NAMES)).toEqual({ name, rest });
  });

  it.each([
    "",
    "new",
    "/",
    "/ new",
    "//new",
    "/unknown text",
    "/newer",
    "/new.",
    "/new@bot",
    "please /new",
    "/\u212aew",
    "/constructor",
    "/__proto__",
    `/${"n".repeat(33)}`,
    "/usr/bin/env",
  ])("leaves %j to the agent", (text) => {
    expect(parseChatCommand(text, NAMES)).toBeUndefined();
  });

  it("reads a megabyte of blanks at once", () => {
    const text = `/new${" ".repeat(1_000_000)}x`;
    expect(parseChatCommand(text, NAMES)).toEqual({ name: "new", rest: "x" });
    expect(parseChatCommand(`/${" ".repeat(1_000_000)}x`, NAMES)).toBeUndefined();
  });
});
