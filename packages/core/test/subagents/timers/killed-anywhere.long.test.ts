import { describe, expect, it } from "vitest";
import { openTestData, returnTestData } from "../../open-test-store.ts";
import { createTestPorts } from "../../ports/test-ports.ts";
import { aborted } from "../../turns/played-runtime.ts";
import { ADA, TreeDesk } from "../tree-desk.ts";
import { ThreadAccount } from "./thread-account.ts";

const MINUTE_MS = 60_000;
/** Longer than anything of a story is due, a binding's day included. */
const LATER_MS = 26 * 60 * MINUTE_MS;
/** The next process comes within this time: what is due by then is not yet late. */
const SPAN_MS = 5 * MINUTE_MS;
/** Above the steps of a story, and below them. */
const MOST_STEPS = 200;
const FEWEST_STEPS = 15;

interface Story {
  readonly name: string;
  readonly play: (desk: TreeDesk) => TreeDesk;
  readonly run: object;
  readonly completion: string;
  /** The mark under which its thread is closed. */
  readonly mark: string;
}

const STORIES: readonly Story[] = [
  {
    name: "comes to its end and is told of by its requester",
    play: (desk) =>
      desk
        .plays(/^go/, async ({ call }) => {
          await call("sessions_spawn", { task: "work", label: "w", thread: true, mode: "run", cleanup: "delete" });
          return "asked";
        })
        .plays(/^work/, () => "the result")
        .plays(/“w”/, () => "told"),
    run: { endedReason: "complete", settledBy: "parent" },
    completion: "completion: done the result",
    mark: "✅",
  },
  {
    name: "takes too long and is told of by the host",
    play: (desk) =>
      desk
        .plays(/^go/, async ({ call }) => {
          const rules = { mode: "run", runTimeoutSeconds: 120 };
          await call("sessions_spawn", { task: "work", label: "w", thread: true, ...rules });
          return "asked";
        })
        .plays(/^work/, async ({ signal }) => {
          await aborted(signal);
          return "";
        })
        // The requester's answer comes after the host has spoken.
        .plays(/“w”/, async () => {
          const { promise, resolve } = Promise.withResolvers<string>();
          desk.ports.clock.schedule(15 * MINUTE_MS, () => resolve("at last"));
          return promise;
        }),
    run: { endedReason: "timeout", settledBy: "host" },
    completion: "completion: timeout ",
    mark: "⏱",
  },
];

/** Lives until its `dies`-th commit, written or not, and is followed by a process that goes on to the end. */
async function liveTwice({ play }: Story, dies: number, when: "before" | "after") {
  const data = openTestData();
  const ports = createTestPorts();
  const threads = new ThreadAccount();
  let steps = 0;
  const first = new TreeDesk({
    data,
    ports,
    threads,
    fault: (_step, now) => {
      if (now === when) steps += 1;
      return now === when && steps === dies ? "closed" : "none";
    },
  });
  const live = async () => {
    await play(first).start();
    await first.says("go");
    for (let sinceMs = 0; sinceMs < LATER_MS && steps < dies; sinceMs += SPAN_MS) await first.later(SPAN_MS);
  };
  await live().catch(() => undefined);
  const isOver = steps < dies;
  first.crash();
  const desk = play(new TreeDesk({ data, ports, threads }));
  await desk.start();
  // The platform sends again what was not acknowledged; what was is known.
  await desk.says("go");
  await desk.later(LATER_MS);
  return { desk, threads, isOver };
}

async function expectEnd(story: Story, desk: TreeDesk, threads: ThreadAccount, at: string): Promise<void> {
  const runs = (await desk.runs()).filter(({ endedReason }) => endedReason !== "spawn-failed");
  expect(runs, at).toMatchObject([{ state: "ended", ...story.run }]);
  expect(runs[0]?.archivedAtMs, at).toBeDefined();
  expect(
    (await desk.lines(ADA)).filter((line) => line.startsWith("completion")),
    at,
  ).toEqual([story.completion]);
  const told = await desk.store.read.deliveries({ limit: 99 });
  expect(
    told.filter(({ kind }) => kind === "completion").map(({ state }) => state),
    at,
  ).toEqual([expect.stringMatching(/^sent/)]);
  expect(
    told.filter(({ state }) => !state.startsWith("sent")),
    at,
  ).toEqual([]);
  expect(await desk.store.read.timers({ limit: 9 }), at).toEqual([]);
  const { unfinishedRuns, activeLanes, waitingItems } = await desk.store.read.counts();
  expect([unfinishedRuns, activeLanes, waitingItems], at).toEqual([0, 0, 0]);
  expect(threads.done, at).toContain(`archive ${story.mark} w`);
  expect((await desk.store.read.routes()).bindings, at).toEqual([]);
}

describe.each(STORIES)("a run that $name", (story) => {
  it.each(["before", "after"] as const)(
    "has that one end where its process dies %s any one of its steps",
    async (when) => {
      for (let dies = 1; dies <= MOST_STEPS; dies += 1) {
        const { desk, threads, isOver } = await liveTwice(story, dies, when);
        await expectEnd(story, desk, threads, `step ${dies}`);
        await desk.stop();
        returnTestData(desk.data);
        if (!isOver) continue;
        expect(dies).toBeGreaterThan(FEWEST_STEPS);
        return;
      }
      expect.unreachable("the story has more steps");
    },
  );
});
