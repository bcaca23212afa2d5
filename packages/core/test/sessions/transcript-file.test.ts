import { describe, expect, it } from "vitest";
import { resolveSessionTranscriptFile } from "../../src/sessions/transcript-file.ts";
import { codeOf, MESSAGE_FORM, messageOf } from "./keys/coded-failure.ts";

const SESSION_ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const ASKED = { stateDir: "/srv/banyan", sessionId: SESSION_ID, sessionKey: "agent:ops:irc:dm:ada" };

describe("resolveSessionTranscriptFile", () => {
  it("names the agent's folder and the session's file", () => {
    expect(resolveSessionTranscriptFile(ASKED)).toMatch(
      /^\/srv\/banyan\/agents\/ops\/sessions\/agent_ops_irc_dm_ada--[0-9a-f]{16}--0f8fad5b\.jsonl$/,
    );
  });

  it.each([
    [
      "the default agent's folder for a key without an agent",
      { sessionKey: "global" },
      "/agents/main/sessions/global--",
    ],
    ["the folder that is asked for", { sessionKey: "global", agentId: "Ops" }, "/agents/ops/sessions/global--"],
    ["the agent of the key before another one", { agentId: "main" }, "/agents/ops/"],
    ["a folder that every system allows", { sessionKey: "agent:con:main" }, "/agents/con+/"],
    ["the name that the record gives", { sessionFile: "old.jsonl" }, "/agents/ops/sessions/old.jsonl"],
  ])("gives %s", (_name, change, part) => {
    expect(resolveSessionTranscriptFile({ ...ASKED, ...change })).toContain(part);
  });

  it.each([
    ["invalid_session_key", { sessionKey: "agent:ops" }],
    ["invalid_segment", { sessionId: "42" }],
    ["invalid_segment", { sessionFile: "../../token" }],
    ["invalid_segment", { sessionFile: ".." }],
  ])("refuses what is none as %s", (code, change) => {
    const act = () => resolveSessionTranscriptFile({ ...ASKED, ...change });
    expect(codeOf(act)).toBe(code);
    expect(messageOf(act)).toMatch(MESSAGE_FORM);
  });
});
