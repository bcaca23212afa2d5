import { expect, test } from "vitest";
import { createGate } from "../../subagents/tools/tool-desk.ts";
import { type Player, TreeDesk, type TreeDeskOptions } from "../../subagents/tree-desk.ts";
import { aborted } from "../played-runtime.ts";

const INTERRUPT = { options: { queue: { mode: "interrupt", debounceMs: 0 } } } as const;
const SOON_MS = 1_000;
const until: Player = async ({ signal }) => {
  await aborted(signal);
  return "";
};

/** An agent that cannot hear while it works, and a sub-agent of it whose end the test says. */
async function openDesk(given: TreeDeskOptions = {}, walk: Player = until) {
  const desk = await new TreeDesk({ ...INTERRUPT, ...given }).start();
  const scout = createGate();
  desk.plays(/^look/, scout.player).plays(/^walk/, walk);
  desk.plays(/^hire/, async ({ call }) => {
    await call("sessions_spawn", { task: "look", label: "scout" });
    return "hired";
  });
  await desk.says("hire");
  await desk.says("walk");
  scout.open("three trees");
  await desk.rest();
  return desk;
}

/** What the person's own agent was asked, turn by turn. */
function listAsked(desk: TreeDesk): readonly string[] {
  const own = desk.turns.flatMap(({ input }) => (input.some(({ text }) => text === "look") ? [] : [input]));
  return own.map((input) => input.map(({ kind, text }) => (kind === "completion" ? "the result" : text)).join(" + "));
}

test("the message that interrupts runs next, the result that has waited longer behind it", async () => {
  const desk = await openDesk();
  expect(listAsked(desk)).toEqual(["hire", "walk"]);
  await desk.says("run");
  await desk.later(SOON_MS);
  expect(listAsked(desk)).toEqual(["hire", "walk", "run", "the result"]);
  expect(desk.heard().slice(0, 2)).toEqual(["hired", "re: run"]);
  expect(desk.heard()[2]).toContain("three trees");
});

test("of several messages the first one runs next, and nothing is left behind", async () => {
  const desk = await openDesk();
  await Promise.all([desk.says("run"), desk.says("jump")]);
  await desk.later(SOON_MS);
  expect(listAsked(desk)).toEqual(["hire", "walk", "run", "jump", "the result"]);
  expect(desk.heard().filter((text) => text.includes("three trees"))).toHaveLength(1);
  expect((await desk.store.read.counts()).waitingItems).toBe(0);
});

test("also where the process dies between the two turns", async () => {
  const isCut = (body: string) => body.includes('"interruption"');
  const desk = await openDesk({
    fault: (step, when) =>
      step.step === "commit_turn" && when === "after" && isCut(step.session.body) ? "closed" : "none",
  });
  await desk.says("run");
  await desk.later(SOON_MS);
  desk.crash();
  const next = new TreeDesk({ ...INTERRUPT, data: desk.data, ports: desk.ports });
  await next.start();
  await next.later(SOON_MS);
  expect(listAsked(next)).toEqual(["run", "the result"]);
});

test("a result that is only written down keeps no message from interrupting, and is so first: the message's turn knows of it", async () => {
  const desk = new TreeDesk(INTERRUPT);
  await desk.start();
  const scout = createGate();
  desk.plays(/^look/, scout.player).plays(/^walk/, until);
  await desk.says("/spawn --label scout look");
  await desk.says("walk");
  scout.open("three trees");
  await desk.rest();
  await desk.says("run");
  await desk.later(SOON_MS);
  const kinds = (await desk.transcript()).map(({ kind, role }) => (kind === "message" ? role : kind));
  expect(kinds.slice(-3)).toEqual(["completion", "user", "assistant"]);
});

test("without an interruption a result keeps its place before a later message", async () => {
  const gate = createGate();
  const desk = await openDesk({ options: { queue: { mode: "followup", debounceMs: 0 } } }, gate.player);
  await desk.says("run");
  gate.open();
  await desk.later(SOON_MS);
  expect(listAsked(desk)).toEqual(["hire", "walk", "the result", "run"]);
});
