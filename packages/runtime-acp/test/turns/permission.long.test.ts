import type { PermissionRequest, PermissionVerdict } from "@banyan/plugin-sdk";
import { readAll, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { expect, test } from "vitest";
import { buildPermissionQuestion } from "../../src/turns/permission.ts";
import { AgentDesk, type DeskOptions } from "../desk/agent-desk.ts";

/** Lets the agent ask, and gives what the person was asked, what the agent was answered, and what it said then. */
async function asks(
  text: string,
  answer: (request: PermissionRequest) => PermissionVerdict | Promise<PermissionVerdict>,
  { audience = "known", ...options }: DeskOptions & { readonly audience?: "known" | "anybody" } = {},
) {
  const desk = new AgentDesk(options);
  const asked: PermissionRequest[] = [];
  const session = await desk.open({ audience });
  const askPermission = async (request: PermissionRequest) => {
    asked.push(request);
    return answer(request);
  };
  const events = await readAll(session.run({ ...desk.turns.turn(text), askPermission }));
  await session.close();
  return { asked, said: textOf(events) };
}

const choose = (id: string) => (request: PermissionRequest) => {
  const choice = request.choices.find((one) => one.id === id);
  if (choice === undefined) throw new Error(`no choice ${id}`);
  return { kind: "chosen", choice } as const;
};

test("a request is a question with the agent's options as choices, and the answer is the agent's own option", async () => {
  const { asked, said } = await asks("ask rm -r /", choose("allow_once"));
  expect(said).toBe("answered yes");
  expect(asked).toMatchObject([
    {
      text: 'The agent asks for permission: `rm -r /`\n```\n{\n "command": "rm -r /"\n}\n```',
      choices: [
        { id: "allow_once", label: "Yes", isAllowing: true },
        { id: "allow_always", label: "Always", isAllowing: true },
        { id: "reject_once", label: "No", isAllowing: false },
      ],
    },
  ]);
});

test("a no is the agent's own no for once", async () => {
  expect((await asks("ask ls", () => ({ kind: "denied", why: "timeout" }))).said).toBe("answered no");
});

test("under chat-safe nobody is asked, and each request is denied", async () => {
  const { asked, said } = await asks("ask ls", choose("allow_once"), { settings: { profile: "chat-safe" } });
  expect([asked, said]).toEqual([[], "answered no"]);
});

test("where anybody can write nobody gives a leave that lasts", async () => {
  const { asked } = await asks("ask ls", choose("reject_once"), { audience: "anybody" });
  expect(asked[0]?.choices.map(({ id }) => id)).toEqual(["allow_once", "reject_once"]);
});

test("a turn that is stopped answers what the agent still asks as cancelled", async () => {
  const desk = new AgentDesk();
  const session = await desk.open();
  const asked = Promise.withResolvers<void>();
  const askPermission = () => {
    asked.resolve();
    return new Promise<never>(() => undefined);
  };
  const run = session.run({ ...desk.turns.turn("ask ls"), askPermission });
  const events = readAll(run);
  await asked.promise;
  await run.abort("/stop");
  expect((await events).at(-1)).toMatchObject({ type: "end", reason: "stopped" });
  expect(desk.journal.find((line) => "permission" in line)?.permission).toEqual({ outcome: "cancelled" });
});

test("the same request has the same id in each attempt, and a repetition of it another", () => {
  const request = (toolCallId: string) => ({
    sessionId: "s",
    toolCall: { toolCallId, title: "ls" },
    options: [{ optionId: "y", name: "Yes", kind: "allow_once" as const }],
  });
  const idOf = (toolCallId: string, counted: number) =>
    buildPermissionQuestion(request(toolCallId), { counted, mayRemember: true })?.request.id;
  expect(idOf("a", 0)).toBe(idOf("b", 0));
  expect(idOf("a", 0)).not.toBe(idOf("a", 1));
});

test("of many options a yes and a no are always among the four choices", () => {
  const kinds = ["allow_once", "allow_once", "allow_once", "allow_always", "allow_once", "reject_once"] as const;
  const options = kinds.map((kind, at) => ({ optionId: `${at}`, name: `${at}`, kind }));
  const question = buildPermissionQuestion(
    { sessionId: "s", toolCall: { toolCallId: "c" }, options },
    { counted: 0, mayRemember: true },
  );
  expect(question?.request.choices.map(({ id }) => id)).toEqual([
    "allow_once",
    "allow_once-2",
    "allow_always",
    "reject_once",
  ]);
  expect([...(question?.options.values() ?? [])]).toEqual(["0", "1", "3", "5"]);
});
