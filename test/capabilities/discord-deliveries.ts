import { createPorts } from "@banyan/core";
import type { Clock } from "@banyan/plugin-sdk";
import { expect } from "vitest";
import type { Capability } from "./capability-table.ts";
import { CALL, count, openStand, POST_MESSAGE, type Stand } from "./discord-stand.ts";

const MINUTE_MS = 60_000;

/** This machine's clock, so much later. */
function createLaterClock(byMs: number): Clock {
  const { clock } = createPorts({ log: { debug: ignore, info: ignore, warn: ignore, error: ignore } });
  return { ...clock, now: () => clock.now() + byMs };
}

const ignore = (): void => undefined;

async function readNonces({ discord }: Stand): Promise<readonly string[]> {
  const calls = await discord.record({ route: POST_MESSAGE });
  return calls.map(({ body }) => /"nonce":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? "none");
}

/** What is not lost and not said twice. */
export const DELIVERY_CAPABILITIES: readonly Capability[] = [
  {
    ability: "answers come once, though Discord’s own answer was lost",
    deed: "the connection broke behind an accepted message",
    async check() {
      const stand = await openStand();
      await stand.discord.faults.add({ kind: "drop-answer", route: POST_MESSAGE });
      await stand.inDm.says("one");
      await stand.inDm.hears("heard: one", { once: true });
      await stand.grove.rests();
      const nonces = await readNonces(stand);
      expect([new Set(nonces).size, nonces.includes("none")]).toEqual([1, false]);
      const messages = (await stand.inDm.messages()).length;
      expect(messages).toBe(1);
      return `${count(nonces.length, "call")} with one nonce, ${count(messages, "message")}`;
    },
  },
  {
    ability: "also when the nonce is forgotten",
    deed: "the same, and the gateway came back ten minutes later",
    async check() {
      const stand = await openStand();
      const fault = await stand.discord.faults.add({ kind: "drop-answer", route: POST_MESSAGE });
      const gate = await stand.discord.faults.hold({ route: POST_MESSAGE });
      await stand.inDm.says("one");
      await fault.met();
      await gate.reached();
      await Promise.all([stand.grove.stop(), gate.cut()]);
      await stand.discord.faults.clear();
      await stand.discord.passTime(10 * MINUTE_MS);
      await stand.grove.restart({ ports: { clock: createLaterClock(10 * MINUTE_MS) } });
      await stand.inDm.says("two");
      await stand.inDm.hears("heard: two", { once: true });
      await stand.grove.rests();
      const answers = (await stand.inDm.messages()).filter(({ text }) => text === "heard: one");
      expect(answers).toHaveLength(1);
      const [route, reads] = [
        "GET /channels/:channel/messages",
        await stand.discord.record({ route: "GET /channels/:channel/messages" }),
      ];
      expect(reads.length).toBeGreaterThan(0);
      return `\`${route}\` before another try, ${count(answers.length, "message")}`;
    },
  },
  {
    ability: "rate limits are waited for",
    deed: "three calls were refused with 429",
    async check() {
      const stand = await openStand();
      await stand.discord.faults.add({ kind: "rate-limit", route: POST_MESSAGE, retryAfterMs: 50, times: 3 });
      await stand.inDm.says("one");
      await stand.inDm.hears("heard: one", { once: true });
      await stand.grove.rests();
      const calls = (await stand.discord.record({ route: POST_MESSAGE })).length;
      return `${count(calls, "call")}, ${count((await stand.inDm.messages()).length, "message")}`;
    },
  },
  {
    ability: "a restart resumes the session",
    deed: "the gateway was stopped, Ada wrote, the gateway was started",
    async check() {
      const stand = await openStand();
      const before = (await stand.discord.bot()).sessions.map(({ id }) => id);
      await stand.grove.stop();
      await stand.inDm.says("one");
      await stand.inGeneral.says(`${CALL} two`);
      await stand.grove.restart();
      await stand.inDm.hears("heard: one", { once: true });
      await stand.inGeneral.hears("heard: two", { once: true });
      await stand.grove.rests();
      expect((await stand.discord.bot()).sessions.map(({ id }) => id)).toEqual(before);
      return `the same session, ${count(2, "answer")}`;
    },
  },
  {
    ability: "what was said meanwhile is read where it cannot be resumed",
    deed: "the same, but Discord had forgotten the session",
    async check() {
      const stand = await openStand();
      await stand.inDm.says("hello");
      await stand.inDm.hears("heard: hello", { once: true });
      await stand.grove.rests();
      const before = (await stand.discord.bot()).sessions.map(({ id }) => id);
      await stand.grove.stop();
      await stand.discord.gateway.refuseResume();
      await stand.inDm.says("one");
      await stand.inGeneral.says(`${CALL} two`);
      await stand.grove.restart();
      await stand.inDm.hears("heard: one", { once: true });
      await stand.inGeneral.hears("heard: two", { once: true });
      await stand.grove.rests();
      expect((await stand.discord.bot()).sessions.map(({ id }) => id)).not.toEqual(before);
      const reads = (await stand.discord.record({ route: "GET /channels/:channel/messages" })).length;
      expect(reads).toBeGreaterThan(0);
      return `a new session, the channels were read, ${count(2, "answer")}`;
    },
  },
  {
    ability: "events that come twice",
    deed: "the gateway’s next four events came twice each",
    async check() {
      const stand = await openStand();
      await stand.discord.gateway.duplicate(4);
      await stand.inDm.says("one");
      await stand.inDm.hears("heard: one", { once: true });
      await stand.inDm.says("two");
      await stand.inDm.hears("heard: two", { once: true });
      await stand.grove.rests();
      return `${count((await stand.inDm.messages()).length, "answer")} to 2 lines`;
    },
  },
];
