import type { PermissionRequest, PermissionVerdict } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { TreeDesk, type TreeDeskOptions } from "../subagents/tree-desk.ts";

const MINUTE_MS = 60_000;
const asking = {
  main: { runtime: "played", workspace: "/workspace", tools: { deny: [], ask: ["agents_list"] } },
};

interface Edit {
  readonly platformId: string;
  readonly text: string;
}

/** An agent that lists files when it is told to, which Ada must allow. */
async function openDesk(given: TreeDeskOptions & { readonly edited?: Edit[] } = {}): Promise<TreeDesk> {
  const { edited = [], ...options } = given;
  const edits = { edit: async ({ platformId, text }: Edit) => void edited.push({ platformId, text }) };
  const desk = new TreeDesk({ agents: asking, edits, ...options });
  desk.plays(/^list/, async ({ call }) => (await call("agents_list", {})).text);
  return desk.start();
}

test("who does not answer in time has said no: the agent is told, and the message says so from then on", async () => {
  const edited: Edit[] = [];
  const desk = await openDesk({ edited, options: { limits: { answerMinutes: 3 } } });
  await desk.says("list");
  expect(desk.heard()).toEqual([expect.stringMatching(/^\*\*main\*\* wants to use `agents_list`/)]);
  expect(desk.heard()[0]).toMatch(/Only ada can answer, within 3 min; then it counts as Deny\.$/);
  await desk.later(2 * MINUTE_MS);
  expect(desk.heard()).toHaveLength(1);
  for (let minutes = 0; minutes < 2; minutes += 1) await desk.later(MINUTE_MS);
  expect(desk.heard()[1]).toMatch(
    /^agents_list failed \(permission\): it needs a person's approval, and no one answered/,
  );
  expect(edited.map(({ text }) => text.split("\n").at(-1))).toEqual(["_Nobody answered in time: that is a no._"]);
  await desk.says("/answer allow");
  expect(desk.heard().at(-1)).toBe("Nothing is asked here just now.");
});

test("a process that dies while it asks has asked: the next one waits on, and the answer of then is heard", async () => {
  const first = await openDesk();
  await first.says("list");
  first.crash();
  const next = await openDesk({ data: first.data });
  next.messages = first.messages;
  await next.rest();
  expect(next.heard()).toEqual([]);
  await next.says("/answer deny");
  expect(next.heard()).toContainEqual(expect.stringMatching(/the person who was asked said no/));
  const kinds = (await next.transcript()).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "question" || kind === "answer")).toEqual(["question", "answer"]);
});

test("of several answers the first holds; who was not asked is told so", async () => {
  const desk = await openDesk();
  await desk.says("list");
  const id = /"id":"(?<id>[\w-]{22})"/.exec(
    JSON.stringify((await desk.store.read.deliveries({ limit: 9 }))[0]?.body).replaceAll("\\", ""),
  )?.groups?.id;
  await desk.says(`/answer allow ${id}`, "bob");
  expect(desk.heard("bob")).toEqual(["That question is for another person; only they can answer."]);
  await desk.says(`/answer 2 ${id}`);
  await desk.says(`/answer 1 ${id}`);
  expect(desk.heard().slice(1)).toEqual(expect.arrayContaining(["Deny.", "That question has its answer already."]));
  await desk.says("/answer allow nothing");
  expect(desk.heard().at(-1)).toBe("There is no such question, or it is long over.");
});

test("an agent's own question has its own choices, and an odd one is a no without being asked", async () => {
  const desk = await openDesk();
  const verdicts: PermissionVerdict[] = [];
  const request: PermissionRequest = {
    id: "q-1",
    text: "May I dig?",
    choices: [
      { id: "once", label: "Yes, once", isAllowing: true },
      { id: "never", label: "Never", isAllowing: false },
    ],
  };
  desk.plays(/^dig/, async ({ input }) => {
    verdicts.push(await input.askPermission({ ...request, text: "x".repeat(7_000) }));
    verdicts.push(await input.askPermission({ ...request, choices: [] }));
    verdicts.push(await input.askPermission(request));
    return "dug";
  });
  await desk.says("dig");
  await desk.says("/answer perhaps");
  expect(desk.heard().at(-1)).toBe("`perhaps` is none of the choices: `/answer once` or `/answer never`.");
  await desk.says("/answer once");
  expect(verdicts).toEqual([
    { kind: "denied", why: "unfit" },
    { kind: "denied", why: "unfit" },
    { kind: "chosen", choice: request.choices[0] },
  ]);
  expect(desk.heard().at(-1)).toBe("dug");
});

test("while a sub-agent waits for a person another one takes its place", async () => {
  const edited: Edit[] = [];
  const desk = await openDesk({ edited, options: { limits: { maxConcurrent: 1 } } });
  desk.plays(/^work/, () => "worked");
  await desk.says("/spawn --label asker list");
  await desk.says("/spawn --label worker work");
  expect(desk.heard().filter((text) => /worker.*done/.test(text))).toHaveLength(1);
  await desk.says("/answer deny");
  expect(edited.some(({ text }) => /the person who was asked said no/.test(text))).toBe(true);
});
