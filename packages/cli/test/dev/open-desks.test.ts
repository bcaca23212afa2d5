import { expect, test } from "vitest";
import type { Desk } from "../../src/dev/desk.ts";
import { openDesks } from "../../src/dev/open-desks.ts";

function createDesk(channel: string, close: () => Promise<void>): Desk {
  return {
    channel,
    title: channel,
    account: {},
    chats: async () => [],
    say: async () => undefined,
    press: async () => "",
    close,
  };
}

test("platforms are opened side by side and shown in their order; one that fails closes the others", async () => {
  const events: string[] = [];
  const isBegun = Promise.withResolvers<void>();
  const openLate = async () => {
    events.push("late begins");
    await isBegun.promise;
    return createDesk("late", async () => void events.push("late closes"));
  };
  const openSoon = async () => {
    events.push("soon begins");
    isBegun.resolve();
    return createDesk("soon", async () => void events.push("soon closes"));
  };
  const both = await openDesks([openLate, openSoon]);
  expect(both.map(({ channel }) => channel)).toEqual(["late", "soon"]);
  expect(events).toEqual(["late begins", "soon begins"]);
  const broken = new Error("no port is free");
  await expect(openDesks([openLate, () => Promise.reject(broken), openSoon])).rejects.toBe(broken);
  expect(events.slice(4)).toEqual(["late closes", "soon closes"]);
});
