import { ChannelError, type EditsAbility } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { TreeDesk } from "../tree-desk.ts";

const MINUTE_MS = 60_000;

it("a status whose last edit was lost says later that its run has ended", async () => {
  const shown: string[] = [];
  const lost: string[] = [];
  const edits: EditsAbility = {
    edit: async ({ text }) => {
      if (/is done/.test(text) && lost.push(text) === 1)
        throw new ChannelError("ambiguous", "A message was edited: the connection was reset; look");
      shown.push(text);
    },
  };
  const desk = await new TreeDesk({ edits }).start();
  const late = Promise.withResolvers<string>();
  desk.plays(/^count/, async ({ call }) => {
    await call("sessions_spawn", { task: "look", label: "docs" });
    return "asked";
  });
  desk.plays(/^look/, () => late.promise);
  // The host tells of it, below: the status shows the end and no more.
  desk.plays(/“docs”/, () => "NO_REPLY");
  await desk.says("count");
  expect(desk.heard()).toEqual(["asked", expect.stringMatching(/^🌱 \*\*docs\*\* is at work/)]);
  late.resolve("12 files");
  await desk.rest();
  await desk.later(MINUTE_MS);
  expect(lost.length).toBe(2);
  expect(shown.at(-1)).toBe("✅ **docs** is done.");
});
