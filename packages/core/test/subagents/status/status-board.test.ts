import { ChannelError } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { GROVE, StatusDesk } from "./status-desk.ts";

const SECOND_MS = 1_000;
const FIVE = ["ash", "beech", "cedar", "date", "elm"];

/** One of five sub-agents ends each second. */
async function fourEnd(desk: StatusDesk): Promise<void> {
  for (const label of FIVE.slice(0, -1)) {
    await desk.ends(label);
    await desk.later(SECOND_MS);
  }
}

describe("the message that shows how sub-agents fare", () => {
  it("stands behind the words of the turn that asked for them", async () => {
    const desk = await new StatusDesk().start();
    await desk.tree.says("go ash beech");
    const [words, status] = desk.tree.heard();
    expect(words).toBe("asked");
    expect(status).toMatch(/^🌱 2 of 2 sub-agents at work:\n- \*\*ash\*\* running\.\n- \*\*beech\*\* running\.$/);
  });

  it("is edited at most every 3 s in a direct chat, and says what is so by then", async () => {
    const desk = await new StatusDesk().start();
    await desk.tree.says(`go ${FIVE.join(" ")}`);
    await fourEnd(desk);
    await desk.later(20 * SECOND_MS);
    expect(desk.edits.length).toBeGreaterThan(1);
    expect(Math.min(...desk.pausesMs)).toBeGreaterThanOrEqual(3 * SECOND_MS);
    expect(desk.edits.at(-1)?.text).toMatch(/^🌱 1 of 5 .*\n- ✅ \*\*ash\*\* is done\n(.*\n)*- \*\*elm\*\* running\.$/);
    const [, status] = desk.tree.sent;
    expect(new Set(desk.edits.map(({ platformId }) => platformId))).toEqual(new Set([status?.deliveryId]));
  });

  it("is edited at most every 6 s in a group", async () => {
    const desk = await new StatusDesk().start();
    await desk.tree.saysAt(GROVE, `go ${FIVE.join(" ")}`);
    await fourEnd(desk);
    await desk.later(20 * SECOND_MS);
    expect(desk.edits.length).toBeGreaterThan(1);
    expect(Math.min(...desk.pausesMs)).toBeGreaterThanOrEqual(6 * SECOND_MS);
    expect(desk.edits.at(-1)?.text).toMatch(/^🌱 1 of 5 /);
  });

  it("is not edited while it says the same", async () => {
    const desk = await new StatusDesk().start();
    await desk.tree.says("go ash beech");
    await desk.ends("ash");
    await desk.later(60 * SECOND_MS);
    const texts = desk.edits.map(({ text }) => text);
    expect(texts.filter((text, index) => text === texts[index - 1])).toEqual([]);
    expect(texts.length).toBeLessThanOrEqual(2);
  });

  it("is edited no more once it is to become the answer", async () => {
    const desk = await new StatusDesk().start();
    desk.tree.plays(/“ash”/, () => "the agent tells of ash");
    await desk.tree.says("go ash beech cedar");
    await desk.ends("ash");
    const [answer] = desk.edits;
    expect(answer?.text).toBe("the agent tells of ash");
    await desk.ends("beech");
    await desk.later(30 * SECOND_MS);
    expect(desk.edits.filter(({ platformId }) => platformId === answer?.platformId)).toEqual([answer]);
  });

  it("is left alone when it can be edited no more", async () => {
    const desk = await new StatusDesk().start();
    let asked = 0;
    desk.refuse = () => {
      asked += 1;
      return new ChannelError("message_gone", "Editing a message: it is gone");
    };
    await desk.tree.says(`go ${FIVE.join(" ")}`);
    await fourEnd(desk);
    await desk.later(30 * SECOND_MS);
    expect(asked).toBe(1);
  });

  it("is left alone when nobody knows what became of an edit", async () => {
    const desk = await new StatusDesk().start();
    desk.isMute = true;
    await desk.tree.says(`go ${FIVE.join(" ")}`);
    await fourEnd(desk);
    await desk.later(60 * SECOND_MS);
    expect(desk.edits).toHaveLength(1);
  });

  it("does not become the answer while an edit may still change it", async () => {
    const desk = await new StatusDesk().start();
    desk.tree.plays(/“beech”/, () => "both are told");
    desk.isMute = true;
    await desk.tree.says("go ash beech");
    await desk.ends("ash");
    await desk.later(20 * SECOND_MS);
    desk.isMute = false;
    await desk.ends("beech");
    const [unclear, answer, ...more] = desk.edits;
    expect(unclear?.text).toMatch(/^🌱 1 of 2 /);
    expect(answer?.text).toBe("both are told");
    expect(answer?.platformId).not.toBe(unclear?.platformId);
    expect(more).toEqual([]);
  });

  it("waits as long as the platform asks, and is edited then", async () => {
    const desk = await new StatusDesk().start();
    let asked = 0;
    desk.refuse = () => {
      asked += 1;
      return asked > 1 ? undefined : new ChannelError("rate_limited", "Editing: too many", { retryAfterMs: 20_000 });
    };
    await desk.tree.says("go ash beech");
    await desk.ends("ash");
    await desk.later(15 * SECOND_MS);
    expect([asked, desk.edits.length]).toEqual([1, 0]);
    await desk.later(15 * SECOND_MS);
    expect(desk.edits.map(({ text }) => text)).toEqual([expect.stringMatching(/^🌱 1 of 2 /)]);
  });

  it("is edited by the next process as well", async () => {
    const first = await new StatusDesk().start();
    await first.tree.says("go ash beech");
    first.tree.crash();
    const next = await new StatusDesk(first.tree.data).start();
    await next.tree.rest();
    await next.ends("ash");
    await next.later(10 * SECOND_MS);
    expect(next.edits.at(-1)?.text).toMatch(/^🌱 1 of 2 /);
  });

  it("also where the turn that spawned works on for long before it shows anything", async () => {
    const desk = await new StatusDesk().start();
    await desk.tree.says("slow go ash beech");
    await desk.later(10_000);
    await desk.ends("turn", "asked");
    await desk.ends("ash", "NO_REPLY");
    await desk.later(10_000);
    expect(desk.edits.at(-1)?.text).toMatch(/^🌱 1 of 2 sub-agents at work:/);
  });

  it("what is told one by one takes no message from those that still work", async () => {
    const desk = await new StatusDesk().start();
    await desk.tree.says("each go ash beech");
    await desk.ends("ash");
    await desk.later(10_000);
    expect(desk.edits.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^🌱 1 of 2 sub-agents at work:/));
  });
});
