import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InlineDatabase } from "@banyan/store-sqlite/inline";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ThreadAccount } from "../timers/thread-account.ts";
import { TreeDesk } from "../tree-desk.ts";

let workspace: string;
/** What was done for the spawn, by its processes one after the other. */
let done: string[];

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "banyan-undone-")));
  done = [];
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function note(what: string): void {
  const host = join(workspace, ".banyan");
  const isGiven = existsSync(host) && readdirSync(host).length > 0;
  done.push(isGiven ? `${what}, files lie there` : what);
}

class NotedThreads extends ThreadAccount {
  override async open(request: Parameters<ThreadAccount["open"]>[0]): ReturnType<ThreadAccount["open"]> {
    note("thread opened");
    return super.open(request);
  }

  override async withdraw(): Promise<void> {
    note("thread withdrawn");
  }
}

/** A process that notes what it does; something happens to it at a point. */
function open(at: string, happens: (desk: TreeDesk) => void, data?: InlineDatabase): TreeDesk {
  const desk: TreeDesk = new TreeDesk({
    agents: { main: { runtime: "played", workspace, tools: { deny: [] } } },
    threads: new NotedThreads(),
    ...(data === undefined ? {} : { data }),
    faultPoint(name) {
      if (name === "attachments.after") note("files written");
      if (name === at) happens(desk);
    },
    fault(step, when) {
      if (when === "before" && ["reserve_run", "accept_run", "undo_run"].includes(step.step)) note(step.step);
      if (when === "before" && step.step === "set_timers" && step.arm.some(({ kind }) => kind === "thread-withdrawal"))
        note("thread left to a timer");
      return "none";
    },
  });
  return desk;
}

/** The next process, on what the one before has left. */
function openNext({ data }: TreeDesk): Promise<TreeDesk> {
  return open("nowhere", () => undefined, data)
    .plays(/^go/, () => "asked no more")
    .start();
}

/** Its agent spawns with a thread and a file; what it is answered, or that its process died. */
async function spawnsWithAll(desk: TreeDesk, died: Promise<string>): Promise<string> {
  const answered = Promise.withResolvers<string>();
  desk.plays(/^go/, async ({ call }) => {
    const attachments = [{ name: "notes.md", content: "milk" }];
    const { text } = await call("sessions_spawn", { task: "work", thread: true, mode: "run", attachments });
    answered.resolve(text);
    return "asked";
  });
  await desk.start();
  await desk.says("go");
  return Promise.race([answered.promise, died]);
}

const never = new Promise<never>(() => undefined);
const OPENED = ["reserve_run", "thread opened", "files written, files lie there"];

it("a spawn that fails is undone from its last stage to its first", async () => {
  const desk = open("attachments.after", () => {
    throw new Error("the disk broke");
  });
  expect(await spawnsWithAll(desk, never)).toContain("the disk broke; try again");
  expect(done).toEqual([...OPENED, "thread withdrawn", "undo_run"]);
});

it("one whose process was killed is undone in that order by the next, which has its ids alone and no account yet", async () => {
  const died = Promise.withResolvers<string>();
  const first = open("T1.before", (desk) => {
    desk.crash();
    died.resolve("dead");
  });
  expect(await spawnsWithAll(first, died.promise)).toBe("dead");
  const second = await openNext(first);
  expect(done).toEqual([...OPENED, "thread left to a timer", "undo_run"]);
  await second.later(10_000);
  expect(done.slice(-2)).toEqual(["undo_run", "thread withdrawn"]);
  expect((await second.runs()).map(({ endedReason }) => endedReason)).toEqual(["spawn-failed"]);
});

it("a disk that resists keeps no thread open, and the reservation stands until the next start", async () => {
  const first = open("attachments.after", () => {
    rmSync(workspace, { recursive: true });
    writeFileSync(workspace, "a file in its place");
    throw new Error("the disk broke");
  });
  expect(await spawnsWithAll(first, never)).toContain("the disk broke; try again");
  expect(done).toEqual([...OPENED, "thread withdrawn"]);
  expect((await first.runs()).map(({ state }) => state)).toEqual(["reserved"]);
  first.crash();
  rmSync(workspace);
  mkdirSync(workspace);
  const second = await openNext(first);
  expect((await second.runs()).map(({ endedReason }) => endedReason)).toEqual(["spawn-failed"]);
});
