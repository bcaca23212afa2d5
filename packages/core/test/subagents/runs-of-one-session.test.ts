import { describe, expect, it } from "vitest";
import { parseSessionRow } from "../../src/sessions/session-record.ts";
import { TreeDesk } from "./tree-desk.ts";

const HOURS_MS = 3 * 60 * 60_000;

/** Main has asked m, which has asked x and waits; "how far" is a message to m. */
async function openTree(options: ConstructorParameters<typeof TreeDesk>[0] = {}) {
  const desk = await new TreeDesk(options).start();
  const leaf = Promise.withResolvers<string>();
  desk.plays(/^top/, async ({ call }) => {
    await call("sessions_spawn", { task: "middle", label: "m", runTimeoutSeconds: 0 });
    return "asked";
  });
  desk.plays(/^middle/, async ({ call }) => {
    await call("sessions_spawn", { task: "leaf", label: "x", runTimeoutSeconds: 0 });
    return "waiting for the leaf";
  });
  desk.plays(/^leaf/, () => leaf.promise);
  desk.plays(/“x”/, ({ input }) => `m got ${input.input[0]?.completion?.result}`);
  desk.plays(/“m”/, ({ input }) => `m says ${input.input[0]?.completion?.result}`);
  await desk.says("top");
  return { desk, leaf };
}

async function endsWell({ desk, leaf }: Awaited<ReturnType<typeof openTree>>): Promise<void> {
  leaf.resolve("leaf result");
  await desk.rest();
  await desk.later(HOURS_MS);
  const runs = await desk.runs();
  expect(runs.map(({ state }) => state)).toEqual(runs.map(() => "ended"));
  expect(desk.heard().at(-1)).toBe("m says m got leaf result");
}

async function statusOf(desk: TreeDesk): Promise<string | undefined> {
  const [task] = await desk.runs();
  const session = await desk.store.read.session(task?.childSessionKey ?? "");
  return session === undefined ? undefined : parseSessionRow(session).entry.status;
}

describe("a message to a sub-agent that waits for its own", () => {
  it("may fail, and what it waits for goes on", async () => {
    const tree = await openTree();
    tree.desk.plays(/^how far/, () => {
      throw new Error("model down");
    });
    await tree.desk.says("/subagents send m how far?");
    await endsWell(tree);
  });

  it("may be stopped, and what it waits for goes on", async () => {
    const tree = await openTree();
    tree.desk.plays(/^how far/, () => new Promise(() => undefined));
    await tree.desk.says("/subagents send m how far?");
    await tree.desk.says("/kill 3");
    await endsWell(tree);
  });

  it("is answered also where the task is stopped meanwhile", async () => {
    const { desk } = await openTree();
    const answer = Promise.withResolvers<string>();
    desk.plays(/^how far/, () => answer.promise);
    await desk.says("/subagents send m how far?");
    await desk.says(`/kill ${(await desk.runs())[0]?.runId}`);
    answer.resolve("half way");
    await desk.later(6_000);
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["killed", "killed", "complete"]);
    expect(desk.heard()).toContainEqual(expect.stringMatching(/^✅ \*\*m\*\* .*half way$/s));
  });

  it("may take too long, and what it waits for goes on", async () => {
    const main = {
      runtime: "played",
      workspace: "/workspace",
      tools: { deny: [] },
      subagents: { runTimeoutSeconds: 60 },
    };
    const tree = await openTree({ agents: { main } });
    tree.desk.plays(/^how far/, () => new Promise(() => undefined));
    await tree.desk.says("/subagents send m how far?");
    await tree.desk.later(61_000);
    await endsWell(tree);
  });

  it("says nothing in the sub-agent's record of how its task ended, which is not over", async () => {
    const tree = await openTree();
    tree.desk.plays(/^how far/, () => "half way");
    await tree.desk.says("/subagents send m how far?");
    expect(await statusOf(tree.desk)).toBe("running");
    tree.desk.plays(/^how far/, () => new Promise(() => undefined));
    await tree.desk.says("/subagents send m how far now?");
    await tree.desk.says("/kill 4");
    await tree.desk.later(6_000);
    expect((await tree.desk.runs()).map(({ state }) => state)).toEqual(["waiting", "running", "ended", "ended"]);
    expect(await statusOf(tree.desk)).toBe("running");
    await endsWell(tree);
    expect(await statusOf(tree.desk)).toBe("done");
  });

  it("ends with the task where both are stopped at once", async () => {
    const { desk } = await openTree();
    desk.plays(/^how far/, () => new Promise(() => undefined));
    await desk.says("/subagents send m how far?");
    await desk.says("/kill all");
    await desk.later(20_000);
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["killed", "killed", "killed"]);
    expect(await statusOf(desk)).toBe("killed");
  });

  it("leaves its answer to itself: the task's result is what the task said", async () => {
    const { desk } = await openTree();
    desk.plays(/^how far/, () => "half way");
    await desk.says("/subagents send m how far?");
    await desk.says(`/kill ${(await desk.runs())[0]?.runId}`);
    // What hangs is waited for a little.
    await desk.later(6_000);
    const [task, , sent] = await desk.runs();
    expect(JSON.parse(sent?.result ?? "{}")).toMatchObject({ outcome: "done", result: "half way" });
    expect(JSON.parse(task?.result ?? "{}")).toMatchObject({ outcome: "killed", result: "waiting for the leaf" });
  });
});

it("a time-out stops what is left where a part of it came to its end meanwhile", async () => {
  const desk = await new TreeDesk({ options: { limits: { maxConcurrent: 1 } } }).start();
  const [hog, never] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const [go, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  desk.gateway.hooks.subagent_delivery_target.tapPromise("slow", async ({ completion }) => {
    if (completion.outcome !== "done") await gate.promise;
    return undefined;
  });
  desk.plays(/^top/, async ({ call }) => {
    await call("sessions_spawn", { task: "middle", label: "m", runTimeoutSeconds: 5 });
    return "asked";
  });
  desk.plays(/^middle/, async ({ call }) => {
    await go.promise;
    await call("sessions_spawn", { task: "leaf", label: "x" });
    return "waiting";
  });
  desk.plays(/^leaf/, () => "leaf done");
  desk.plays(/^hog/, () => hog.promise);
  desk.plays(/“x”/, () => never.promise);
  await desk.says("top");
  await desk.says("/spawn --label hog hog", "eve");
  go.resolve();
  await desk.rest();
  await desk.later(5_100);
  hog.resolve("hog done");
  await desk.rest();
  gate.resolve();
  await desk.rest();
  await desk.later(60_000);
  expect((await desk.runs())[0]).toMatchObject({ state: "ended", endedReason: "timeout" });
});

it("a fork that says nothing has no result, and not its parent's words", async () => {
  const desk = await new TreeDesk().start();
  desk.plays(/^secret/, () => "the parent's words");
  desk.plays(/^go/, async ({ call }) => {
    await call("sessions_spawn", { task: "work", context: "fork" });
    return "asked";
  });
  desk.plays(/^work/, () => "NO_REPLY");
  await desk.says("secret");
  await desk.says("go");
  expect(JSON.parse((await desk.runs())[0]?.result ?? "{}")).toMatchObject({ outcome: "done", result: "" });
});
