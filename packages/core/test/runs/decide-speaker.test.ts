import { describe, expect, it } from "vitest";
import { decideSpeaker, type Speaker, type SpeakerFacts } from "../../src/runs/decide-speaker.ts";

const MAIN = { key: "agent:main:main", isChild: false, isBound: false };
const CHILD = { key: "agent:main:subagent:p", isChild: true, isBound: false };
const BOUND = { ...CHILD, isBound: true };
const USUAL: SpeakerFacts = {
  told: MAIN,
  expectsCompletionMessage: true,
  announce: "parent",
  isSilent: false,
  hasSiblings: false,
  by: "turn",
  isClosing: false,
};

const SILENT: Speaker = { wake: "append", settledBy: "nobody", hostTells: false };
const HOST: Speaker = { wake: "append", settledBy: "host", hostTells: true };
const PARENT: Speaker = { wake: "turn", hostTells: false };
const INSIDE: Speaker = { wake: "turn", settledBy: "nobody", hostTells: false };

describe("who tells the chat of a run's end", () => {
  it.each<[string, Partial<SpeakerFacts>, Speaker]>([
    ["the requester, where an agent asked", {}, PARENT],
    ["the host, where a person asked", { announce: "direct" }, HOST],
    ["nobody, where no message is expected", { expectsCompletionMessage: false }, SILENT],
    [
      "nobody, where no message is expected and a person asked",
      { expectsCompletionMessage: false, announce: "direct" },
      SILENT,
    ],
    ["nobody, where the child asks for that", { isSilent: true }, SILENT],
    ["nobody, but the requester learns of it where it waits for others", { isSilent: true, hasSiblings: true }, INSIDE],
    ["nobody, where the child of a person's asks for that", { isSilent: true, announce: "direct" }, SILENT],
    ["nobody outside, where a sub-agent asked inside", { told: CHILD, isQuiet: true }, INSIDE],
    ["the host, where a sub-agent asked in a chat that it has lost", { told: CHILD }, { ...HOST, wake: "turn" }],
    ["the host, where a person asked in the chat of a sub-agent", { told: CHILD, announce: "direct" }, HOST],
    ["nobody, but the sub-agent that waits for it learns of it", { told: CHILD, isSilent: true }, INSIDE],
    ["the sub-agent itself, where people read its thread", { told: BOUND }, PARENT],
    ["the host, where a person asked in its thread", { told: BOUND, announce: "direct" }, HOST],
    ["the host, in the outbox, where nobody is left", { told: undefined }, HOST],
    ["nobody, where its requester ended with it", { by: "cascade" }, SILENT],
    ["the host, where a person had asked and the requester ended with it", { by: "cascade", announce: "direct" }, HOST],
    [
      "the answer of the command that stopped it; its requester learns of it",
      { by: "command" },
      { ...INSIDE, settledBy: "host" },
    ],
    [
      "the answer of that command, where a person had asked",
      { by: "command", announce: "direct" },
      { ...HOST, hostTells: false },
    ],
    [
      "the host, where the operator stopped it",
      { by: "operator" },
      { wake: "turn", settledBy: "host", hostTells: true },
    ],
    ["the requester, where its own tool stopped it", { by: "tool" }, PARENT],
    ["the requester, where its time was over", { by: "timer" }, PARENT],
    [
      "the answer of /new, and nothing goes into the new conversation",
      { by: "command", isClosing: true },
      { ...HOST, hostTells: false },
    ],
    ["the host, where its session's requester is deleted", { by: "turn", isClosing: true }, HOST],
  ])("%s", (_name, facts, speaker) => {
    expect(decideSpeaker({ ...USUAL, ...facts })).toEqual(speaker);
  });
});
