import { describe, expect, it, test } from "vitest";
import { isAnnounceSkip, isVisible, maySayNothing } from "../../src/runs/silent-answer.ts";
import { CoreDesk } from "../turns/core-desk.ts";
import { says } from "../turns/played-runtime.ts";

const SILENT = ["NO_REPLY", "NO_REPLY\n", "\n NO_REPLY \r\n", "ANNOUNCE_SKIP", "ANNOUNCE_SKIP\n", "", " \n\t"];
const SHOWN = ["NO_REPLY, I said", "no_reply", "NO REPLY", "NO_REPLY NO_REPLY", "hello"];

describe("an answer", () => {
  it.each(SILENT)("%j is not shown", (text) => {
    expect(isVisible(text)).toBe(false);
  });

  it.each(SHOWN)("%j is shown", (text) => {
    expect(isVisible(text)).toBe(true);
  });

  it("skips the announcement with or without white space around the word", () => {
    expect(["ANNOUNCE_SKIP", " ANNOUNCE_SKIP\n", "NO_REPLY\n"].map(isAnnounceSkip)).toEqual([true, true, false]);
  });
});

describe("while it grows", () => {
  it.each(["", "\n", "NO_", "NO_REPLY", "NO_REPLY\n", "\nNO_RE", "ANN"])("%j may still become silence", (text) => {
    expect(maySayNothing(text)).toBe(true);
  });

  it.each(["NOT", "NO_REPLY \n x", "hello"])("%j may not", (text) => {
    expect(maySayNothing(text)).toBe(false);
  });
});

test.each(["NO_REPLY", "NO_REPLY\n"])("a person whose message is answered with %j hears nothing", async (answer) => {
  const shown: string[] = [];
  const progress = {
    update: ({ textSoFar }: { textSoFar: string }) => void shown.push(textSoFar),
    end: () => undefined,
  };
  const desk = await new CoreDesk({ connection: { progress } }).connect();
  desk.runtime.play = () => says(answer);
  await desk.says("thanks");
  expect(desk.heard()).toEqual([]);
  expect(shown).toEqual([]);
  expect(await desk.lines()).toEqual(["user: thanks", `assistant: ${answer}`]);
});
