import { ChannelError } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { StatusDesk } from "../status/status-desk.ts";
import { timersOf } from "./due-desk.ts";

const SECOND_MS = 1_000;
const SILENT = "ANNOUNCE_SKIP";

/** A person's sub-agent that is at work. */
async function spawn(): Promise<StatusDesk> {
  const desk = await new StatusDesk().start();
  await desk.tree.says("/spawn --label mute work mute");
  expect(desk.tree.heard()).toEqual([expect.stringMatching(/^🌱 \*\*mute\*\* is at work/)]);
  return desk;
}

const textsOf = ({ edits }: StatusDesk) => edits.map(({ text }) => text);

describe("when sub-agents have ended and nobody speaks of it", () => {
  it("the message that showed one at work says so at once", async () => {
    const desk = await spawn();
    await desk.ends("mute", SILENT);
    await desk.later(0);
    expect(textsOf(desk)).toEqual(["✅ **mute** is done."]);
    expect(desk.tree.sent).toHaveLength(1);
    expect(await timersOf(desk.tree)).not.toContain("status");
  });

  it("that of several says so when the last one has", async () => {
    const desk = await new StatusDesk().start();
    await desk.tree.says("go ash beech");
    await desk.ends("ash", SILENT);
    await desk.later(10 * SECOND_MS);
    expect(textsOf(desk).at(-1)).toMatch(/^🌱 1 of 2 /);
    await desk.ends("beech", SILENT);
    await desk.later(10 * SECOND_MS);
    expect(textsOf(desk).at(-1)).toBe("2 sub-agents have ended.\n- ✅ **ash** is done\n- ✅ **beech** is done");
    expect(await timersOf(desk.tree)).not.toContain("status");
  });

  it("that of several that end together says so once", async () => {
    const desk = await new StatusDesk().start();
    await desk.tree.says("go ash beech cedar");
    await desk.tree.says("/kill all");
    await desk.later(60 * SECOND_MS);
    expect(textsOf(desk).filter((text) => text.startsWith("3 sub-agents have ended."))).toHaveLength(1);
    expect(await timersOf(desk.tree)).not.toContain("status");
  });

  it("the next process says so where this one dies before", async () => {
    const first = await spawn();
    first.refuse = () => new ChannelError("definite", "Editing a message: not now");
    await first.ends("mute", SILENT);
    await first.later(0);
    first.tree.crash();
    const next = await new StatusDesk(first.tree.data).start();
    // An edit of the first one may come until then.
    await next.later(19 * SECOND_MS);
    expect(textsOf(next)).toEqual([]);
    await next.later(20 * SECOND_MS);
    expect(textsOf(next)).toEqual(["✅ **mute** is done."]);
  });
});

describe("the end is not shown", () => {
  it("where the message has become the result", async () => {
    const desk = await spawn();
    await desk.ends("mute");
    await desk.later(30 * SECOND_MS);
    expect(textsOf(desk)).toEqual([expect.stringMatching(/^✅ \*\*mute\*\* · done in .*\n\nmute is told$/)]);
    expect(await timersOf(desk.tree)).not.toContain("status");
  });

  it("where the message can be edited no more, and nothing is tried again", async () => {
    const desk = await spawn();
    let asked = 0;
    desk.refuse = () => {
      asked += 1;
      return new ChannelError("message_gone", "Editing a message: it is gone");
    };
    await desk.ends("mute", SILENT);
    await desk.later(60 * SECOND_MS);
    expect(asked).toBe(1);
    expect(await timersOf(desk.tree)).not.toContain("status");
  });

  it("for a while where an edit is not answered, which may still come; then it is made again", async () => {
    const desk = await spawn();
    desk.isMute = true;
    await desk.ends("mute", SILENT);
    await desk.later(20 * SECOND_MS);
    expect(desk.edits).toHaveLength(1);
    desk.isMute = false;
    await desk.later(60 * SECOND_MS);
    expect(desk.edits).toHaveLength(2);
    expect(await timersOf(desk.tree)).not.toContain("status");
  });
});

describe("an end whose edit is refused", () => {
  it("is a new message, once, also where the next process takes it up", async () => {
    const desk = await spawn();
    desk.refuse = () => new ChannelError("chat_gone", "Editing a message: no right to do so");
    await desk.ends("mute", SILENT);
    await desk.later(60 * SECOND_MS);
    expect(desk.tree.sent.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^🌱 \*\*mute\*\* is at work/),
      "✅ **mute** is done.",
    ]);
    expect(await timersOf(desk.tree)).not.toContain("status");
    desk.tree.crash();
    const next = await new StatusDesk(desk.tree.data).start();
    await next.later(60 * SECOND_MS);
    expect(next.tree.sent).toEqual([]);
  });
});

describe("an end that could not be shown", () => {
  it.each([
    ["definite", [0, 0.5, 1.5, 3.5]],
    // The chat is held for as long as the platform says.
    ["rate_limited", [0, 1.5, 3.5, 7.5]],
  ] as const)("is shown later, each time twice as late: %s", async (kind, seconds) => {
    const desk = await spawn();
    const askedAtMs: number[] = [];
    const { clock } = desk.tree.ports;
    desk.refuse = () => {
      askedAtMs.push(clock.monotonic());
      return askedAtMs.length > 3
        ? undefined
        : new ChannelError(kind, "Editing a message: not now", { retryAfterMs: SECOND_MS });
    };
    const endedAtMs = clock.monotonic();
    await desk.ends("mute", SILENT);
    await desk.later(90 * SECOND_MS);
    expect(askedAtMs.map((atMs) => (atMs - endedAtMs) / SECOND_MS)).toEqual(seconds);
    expect(textsOf(desk)).toEqual(["✅ **mute** is done."]);
  });

  it("is shown also after days without the platform", async () => {
    const desk = await spawn();
    let isDown = true;
    desk.refuse = () => (isDown ? new ChannelError("definite", "Editing a message: the platform is down") : undefined);
    await desk.ends("mute", SILENT);
    for (let hour = 0; hour < 60; hour += 1) await desk.later(60 * 60 * SECOND_MS);
    expect(textsOf(desk)).toEqual([]);
    isDown = false;
    for (let hour = 0; hour < 13; hour += 1) await desk.later(60 * 60 * SECOND_MS);
    expect(textsOf(desk)).toEqual(["✅ **mute** is done."]);
    expect(await timersOf(desk.tree)).not.toContain("status");
  });
});
