import { expect, test } from "vitest";
import { AgentDesk } from "../desk/agent-desk.ts";

const OFFER = ["--option", "model=small,large", "--option", "thought_level=none,low,high"];
const SENTENCE = "an agent does not offer what is set; it works with its own";

const chosen = (desk: AgentDesk) =>
  desk.journal.flatMap((line) => ("option" in line ? [[line.option, line.value]] : []));

test("a session is set to the model and the thinking of its conversation, once", async () => {
  const desk = new AgentDesk({ args: OFFER });
  await desk.says("say one", { model: "large", thinking: "high" });
  await desk.says("say two", { model: "large", thinking: "high" });
  expect(chosen(desk)).toEqual([
    ["my-model", "large"],
    ["my-thought_level", "high"],
  ]);
  await desk.says("say three", { model: "small", thinking: "off" });
  expect(chosen(desk).slice(2)).toEqual([
    ["my-model", "small"],
    ["my-thought_level", "none"],
  ]);
  expect(desk.turns.logged).not.toContain(SENTENCE);
});

test("what was set for one turn is not the next one's, also where the session was taken up again", async () => {
  const desk = new AgentDesk({ args: [...OFFER, "--resume"] });
  await desk.says("say one", { model: "large", thinking: "high" });
  await desk.says("say two", { thinking: "high" });
  expect(chosen(desk).slice(2)).toEqual([["my-model", "small"]]);
  await desk.runtime.close?.();
  expect(desk.kept.at(-1)?.usual).toEqual({ model: "small", thinking: "none" });
  const next = desk.createRuntime();
  await desk.says("say three", { model: "large", thinking: "high" }, next);
  await desk.says("say four", {}, next);
  expect(chosen(desk).slice(-2)).toEqual([
    ["my-model", "small"],
    ["my-thought_level", "none"],
  ]);
});

test("a model is known by its name as well, and one that the agent works with already is not set again", async () => {
  const desk = new AgentDesk({ args: OFFER });
  await desk.says("say one", { model: "small" });
  expect(chosen(desk)).toEqual([]);
  await desk.says("say two", { model: "the LARGE one" });
  expect(chosen(desk)).toEqual([["my-model", "large"]]);
});

test.each([
  ["offers no choice", []],
  ["does not offer that one", OFFER],
])("an agent that %s works with its own, and the log is told once", async (_what, args) => {
  const desk = new AgentDesk({ args });
  expect((await desk.says("say one", { model: "huge", thinking: "xhigh" })).text).toBe("one");
  await desk.says("say two", { model: "huge", thinking: "xhigh" });
  await desk.says("say three", { model: "huge", thinking: "xhigh", sessionId: "another" });
  expect(desk.turns.logged.filter((message) => message === SENTENCE)).toHaveLength(2);
  expect(chosen(desk)).toEqual([]);
});

test("the mode may be one of the settings", async () => {
  const desk = new AgentDesk({ args: ["--option", "mode=plan,ask"], settings: { mode: "ask" } });
  await desk.says("say one");
  expect(chosen(desk)).toEqual([["my-mode", "ask"]]);
});
