import { expect, test } from "vitest";
import { AgentDesk } from "../desk/agent-desk.ts";

const KINDS = [
  ["that sends the tag back", ["--echo"]],
  ["that knows of none", []],
] as const;
const MODES = ["--modes", "work"];
const SETTINGS = { mode: "work" };

/** What was written of dropped updates. */
function listDrops(desk: AgentDesk): readonly string[] {
  return desk.turns.logged.filter((line) => /belong to no prompt/.test(line));
}

test("a prompt carries the run and the epoch of its turn, each attempt its own", async () => {
  const desk = new AgentDesk();
  await desk.says("say one");
  const session = await desk.open();
  for await (const _ of session.run({ ...desk.turns.turn("say two", {}, 2), turnId: "turn-1" }).events);
  expect(desk.journal.flatMap((line) => ("prompt" in line ? [line._meta] : []))).toEqual([
    { banyan: { run: "turn-1", epoch: 1 } },
    { banyan: { run: "turn-1", epoch: 2 } },
  ]);
});

test.each(KINDS)("all that an agent %s says in time is heard", async (_kind, args) => {
  const desk = new AgentDesk({ args: [...args] });
  expect((await desk.says("message first;message more;work hard;say done;cost 1")).text).toBe("first\n\nmore\n\ndone");
  expect((await desk.says("say second")).text).toBe("second");
  expect(listDrops(desk)).toEqual([]);
});

test.each(KINDS)(
  "what an agent %s adds to an earlier turn reaches no later one, and is counted",
  async (_kind, args) => {
    const desk = new AgentDesk({ args: [...args] });
    expect((await desk.says("message first;late too late;late once more")).text).toBe("first");
    expect((await desk.says("say second")).text).toBe("second");
    expect(listDrops(desk)).toHaveLength(2);
  },
);

test("what has no id and comes late is an ended turn's where the agent says so", async () => {
  const desk = new AgentDesk({ args: ["--echo"] });
  await desk.says("say first;nameless too late");
  expect((await desk.says("say second")).text).toBe("second");
  expect(listDrops(desk)).toHaveLength(1);
});

test.each(KINDS)("what an agent %s says while no prompt is under way is nobody's", async (_kind, args) => {
  const desk = new AgentDesk({ args: [...MODES, ...args], settings: SETTINGS });
  await desk.says("say first;between alone");
  expect((await desk.says("say second")).text).toBe("second");
  expect(listDrops(desk)).toHaveLength(1);
});

test("what a session says again when it is loaded is nobody's, with all that is added to it, and is counted", async () => {
  const desk = new AgentDesk({ args: ["--load"] });
  await desk.says("say first");
  await desk.runtime.close?.();
  const { text } = await desk.says("say second;message more of the first", {}, desk.createRuntime());
  expect(text).toBe("second");
  expect(listDrops(desk)).toHaveLength(2);
});
