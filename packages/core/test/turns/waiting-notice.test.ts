import { formatAddress } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import type { AgentConfig } from "../../src/config/config.ts";
import { ADA, type Player, readSpawned, TreeDesk, type TreeDeskOptions } from "../subagents/tree-desk.ts";
import { aborted } from "./played-runtime.ts";

const MINUTE_MS = 60_000;
const STILL = "Still working on your earlier message. /stop ends it.";
const HALL = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "hall" });

const hangs: Player = async ({ signal }) => {
  await aborted(signal);
  return "";
};

async function openDesk(options: TreeDeskOptions = {}): Promise<TreeDesk> {
  return new TreeDesk(options).plays(/^hang/, hangs).start();
}

describe("a person who waits behind a turn", () => {
  it("is told so after a minute, once, and the turn goes on", async () => {
    const desk = await openDesk();
    await desk.says("hang");
    await desk.later(5 * MINUTE_MS);
    await desk.says("are you there?");
    await desk.later(MINUTE_MS - 1);
    expect(desk.heard()).toEqual([]);
    await desk.later(1);
    expect(desk.heard()).toEqual([STILL]);
    expect(desk.sent[0]).toMatchObject({ kind: "notice" });
    await desk.says("hello?");
    await desk.later(20 * MINUTE_MS);
    expect(desk.heard()).toEqual([STILL]);
    await desk.says("/stop");
    expect(desk.heard().slice(1)).toEqual([expect.stringMatching(/^Stopped/), "re: are you there?", "re: hello?"]);
  });

  it("is not told where the turn ends in time, nor where nobody waits", async () => {
    const desk = await openDesk();
    const late = Promise.withResolvers<string>();
    desk.plays(/^soon/, () => late.promise);
    await desk.says("soon");
    await desk.says("and then?");
    await desk.later(MINUTE_MS - 1);
    late.resolve("here");
    await desk.rest();
    await desk.says("hang");
    await desk.later(5 * MINUTE_MS);
    expect(desk.heard()).toEqual(["here", "re: and then?"]);
  });

  it("is told again of the next turn that takes long", async () => {
    const desk = await openDesk();
    for (const text of ["hang", "hang", "at last"]) await desk.says(text);
    await desk.later(MINUTE_MS);
    await desk.says("/stop");
    await desk.later(MINUTE_MS);
    expect(desk.heard()).toEqual([STILL, expect.stringMatching(/^Stopped/), STILL]);
  });

  it("is told once of a turn that a crash has cut off, also in the next process", async () => {
    const first = await openDesk();
    await first.says("hang");
    await first.says("are you there?");
    await first.later(MINUTE_MS);
    first.crash();
    const next = await openDesk({ data: first.data, ports: first.ports });
    await next.later(10 * MINUTE_MS);
    expect([first.heard(), next.heard()]).toEqual([[STILL], []]);
  });

  it("is told by the next process where the first one died before", async () => {
    const first = await openDesk();
    await first.says("hang");
    await first.says("are you there?");
    await first.later(MINUTE_MS - 1);
    first.crash();
    const next = await openDesk({ data: first.data, ports: first.ports });
    await next.later(MINUTE_MS);
    expect([first.heard(), next.heard()]).toEqual([[], [STILL]]);
  });

  it("is not told where the agent has taken the message while it works", async () => {
    const desk = await openDesk();
    desk.runtime.hear = async () => "delivered";
    await desk.says("hang");
    await desk.says("and this");
    await desk.later(5 * MINUTE_MS);
    expect(desk.heard()).toEqual([]);
  });

  it("is not told while the turn waits for a person's answer", async () => {
    const main: AgentConfig = { runtime: "played", workspace: "/workspace", tools: { deny: [], ask: ["agents_list"] } };
    const desk = await openDesk({ agents: { main } });
    desk.plays(/^list/, async (turn) => {
      await turn.call("agents_list", {});
      return hangs(turn);
    });
    await desk.says("list");
    await desk.says("are you there?");
    await desk.later(5 * MINUTE_MS);
    expect(desk.heard()).toEqual([expect.stringMatching(/^\*\*main\*\* wants to use/)]);
    await desk.says("/answer 1");
    await desk.later(MINUTE_MS);
    expect(desk.heard().at(-1)).toBe(STILL);
  });

  it("in a group is told as the answer to the message, and whose turn it is not is not told that it were", async () => {
    const desk = await openDesk();
    await desk.saysAt(HALL, "hang", "ada");
    await desk.saysAt(HALL, "and me?", "bob");
    await desk.later(MINUTE_MS);
    expect(desk.sent).toMatchObject([
      { text: "Still working on an earlier message. /stop ends it.", replyTo: "m2", address: HALL },
    ]);
  });

  it("is told in each chat that shares the conversation, when its own minute is over", async () => {
    const routes = { routes: [], defaultAgent: "main", scope: "per-sender", dmScope: "main" } as const;
    const desk = await openDesk({ options: { routes } });
    await desk.says("hang");
    await desk.says("and?");
    await desk.later(30_000);
    await desk.says("and me?", "bob");
    await desk.later(30_000);
    expect([desk.heard(), desk.heard("bob")]).toEqual([[STILL], []]);
    await desk.later(MINUTE_MS);
    expect([desk.heard(), desk.heard("bob")]).toEqual([
      [STILL],
      ["Still working on an earlier message. /stop ends it."],
    ]);
  });

  it("is told where the clock is set back meanwhile", async () => {
    const desk = await openDesk();
    await desk.says("hang");
    await desk.says("and?");
    desk.ports.clock.jump(-3_600_000);
    await desk.later(MINUTE_MS);
    expect(desk.heard()).toEqual([STILL]);
  });

  it("is not told where a hook keeps the notice back", async () => {
    const desk = await openDesk();
    const told: string[] = [];
    desk.gateway.hooks.message_sending.tap("quiet", ({ kind, text }) => {
      told.push(`${kind}: ${text}`);
      return { cancel: "quiet hours" };
    });
    await desk.says("hang");
    await desk.says("and?");
    await desk.later(MINUTE_MS);
    expect([desk.heard(), told]).toEqual([[], [`notice: ${STILL}`]]);
  });

  it("costs the turn nothing where the store is full", async () => {
    const isNotice = (step: object) => "isNote" in step && "deliveries" in step;
    const desk = await openDesk({ fault: (step, when) => (when === "before" && isNotice(step) ? "full" : "none") });
    const late = Promise.withResolvers<string>();
    desk.plays(/^soon/, () => late.promise);
    await desk.says("soon");
    await desk.says("and?");
    await desk.later(MINUTE_MS);
    late.resolve("here");
    await desk.rest();
    expect(desk.heard()).toEqual(["here", "re: and?"]);
  });
});

it("nobody is told of what another agent asks, or of a sub-agent's result, that waits behind a turn", async () => {
  const desk = await openDesk();
  desk.plays(/^split/, async ({ call }) => {
    const { childSessionKey: sessionKey } = readSpawned(await call("sessions_spawn", { task: "hang", label: "h" }));
    await call("sessions_send", { sessionKey, message: "are you there?", timeoutSeconds: 0 });
    await call("sessions_spawn", { task: "quick", label: "q" });
    await call("sessions_spawn", { task: "later", label: "l" });
    return "asked";
  });
  desk.plays(/“q”/, hangs);
  const later = Promise.withResolvers<string>();
  desk.plays(/^later/, () => later.promise);
  await desk.says("split");
  later.resolve("done");
  await desk.later(5 * MINUTE_MS);
  const lanes = [ADA, (await desk.runs())[0]?.childSessionKey ?? ""];
  const waiting = await Promise.all(lanes.map(async (lane) => (await desk.store.read.lane(lane)).waiting));
  expect([waiting, desk.heard()]).toEqual([[1, 1], ["asked"]]);
});
