import { setTimeout as wait } from "node:timers/promises";
import type { Bar } from "../bar.ts";
import { makeBenchFolder } from "../bench-folder.ts";
import type { ChatLine } from "../chat-line.ts";
import type { Section } from "../section.ts";
import { openLines, SPAWN_CONFIG, SpawnLoad } from "../spawn-load.ts";
import { ChatSubjectProcess } from "../subject-process.ts";

const REQUESTERS = 20;
const CHILDREN = 50;
/** Others, who talk to the agent meanwhile. */
const TALKERS = 20;
const MESSAGES = 1_000;
const PACE_PER_SECOND = 100;
/** Set with the first figures: no bar was given. */
const LIMIT_RSS_MB = 400;
const LIMIT_P99_MS = 25;

/** A thousand children at work at once: what the gateway weighs, and how long others wait for their answers. */
export const thousandRuns: Section = {
  name: "runs",
  about: `${REQUESTERS * CHILDREN} runs at once: resident memory, p99 of others' messages at ${PACE_PER_SECOND} a second`,
  async measure({ calibration, tell }): Promise<readonly Bar[]> {
    const subject = await ChatSubjectProcess.start(makeBenchFolder(SPAWN_CONFIG));
    try {
      const requesters = await openLines(subject.door, "person", REQUESTERS);
      const talkers = await openLines(subject.door, "talker", TALKERS);
      await talk(talkers, MESSAGES);
      const before = await subject.figures();
      const load = new SpawnLoad(requesters, CHILDREN, "--agent held ");
      await load.answered;
      await subject.quiet();
      const { rssBytes } = await subject.figures();
      const latencies = await talk(talkers, MESSAGES);
      const released = performance.now();
      subject.release();
      await load.completed;
      const endMs = performance.now() - released;
      for (const line of [...requesters, ...talkers]) line.close();
      const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
      const total = REQUESTERS * CHILDREN;
      const ended = `all told ${endMs.toFixed(0)} ms after they were let go on, ${((total / endMs) * 1_000).toFixed(0)}/s`;
      tell(
        `runs  ${(rssBytes / 2 ** 20).toFixed(0)} MB, p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms; ${ended}`,
      );
      return [
        {
          name: `memory with ${total} runs`,
          measured: rssBytes / 2 ** 20,
          limit: LIMIT_RSS_MB,
          side: "at most",
          unit: "MB",
          detail: `${(before.rssBytes / 2 ** 20).toFixed(0)} MB without them; ${ended}`,
        },
        {
          name: `p99 beside ${total} runs`,
          measured: at(0.99),
          limit: LIMIT_P99_MS * calibration.startScale,
          side: "at most",
          unit: "ms",
          detail: `p50 ${at(0.5).toFixed(1)} ms, at ${PACE_PER_SECOND} messages a second`,
        },
      ];
    } finally {
      await subject.close();
    }
  },
};

/** The talkers write in turn at the pace. Resolves with the answers' latencies in milliseconds, ascending. */
async function talk(talkers: readonly ChatLine[], count: number): Promise<readonly number[]> {
  const latencies: number[] = [];
  const done = Promise.withResolvers<void>();
  const saidAt = new Map<ChatLine, number[]>(talkers.map((line) => [line, []]));
  for (const [line, times] of saidAt) {
    line.listen(() => {
      latencies.push(performance.now() - (times.shift() ?? Number.NaN));
      if (latencies.length === count) done.resolve();
    });
  }
  const begun = performance.now();
  for (let said = 0; said < count; said += 1) {
    const line = talkers[said % talkers.length];
    await wait(Math.max(0, (said / PACE_PER_SECOND) * 1_000 - (performance.now() - begun)));
    if (line === undefined) continue;
    saidAt.get(line)?.push(performance.now());
    line.says(`message number ${said}, of the length that people write`).catch(done.reject);
  }
  await done.promise;
  return latencies.toSorted((one, other) => one - other);
}
