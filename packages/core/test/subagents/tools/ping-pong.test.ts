import { describe, expect, it } from "vitest";
import { MOST_HOPS } from "../../../src/subagents/send/message-sender.ts";
import { TreeDesk } from "../tree-desk.ts";
import { ADA, BOB, readTold } from "./tool-desk.ts";

describe("attack 21: agents that answer each other without end", () => {
  it("are cut off after as many messages as may lead to one another, and a person's word begins anew", async () => {
    const desk = await new TreeDesk({ options: { sessionTools: { visibility: "agent" } } }).start();
    await desk.says("hello", "bob");
    const errors: string[] = [];
    desk.plays(/^ping/, async ({ input, call }) => {
      // Whoever has written is answered; a person's word is passed on.
      const sessionKey = input.input[0]?.sender?.id === ADA ? ADA : BOB;
      const told = readTold(await call("sessions_send", { sessionKey, message: "ping", timeoutSeconds: 0 }));
      if (told.error !== undefined) errors.push(told.error);
      return "pong";
    });
    const pings = () => desk.turns.filter(({ input }) => input[0]?.text === "ping").length;
    await desk.says("ping");
    expect(pings()).toBe(1 + MOST_HOPS);
    expect(errors).toHaveLength(1);
    await desk.says("ping");
    expect(pings()).toBe(2 * (1 + MOST_HOPS));
  });
});
