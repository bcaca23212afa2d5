import { createGate, say, wait } from "@banyan/runtime-demo";
import { expect, onTestFinished, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";
import { readTranscript } from "../stage/transcript.ts";

const ADA = "agent:main:telegram:dm:7";
const SECRET = "the secret of the old conversation";
const RESET = { sessionKey: ADA, reason: "manual" } as const;

/** Ada on Telegram, whose agent spawns a digger that finds a secret once the gate opens. */
async function openWithDigger() {
  const gate = createGate();
  onTestFinished(() => gate.open());
  const agent = createScriptedAgent((turn) => async () => {
    for (const { text, completion } of turn.input.input) {
      if (completion !== undefined) await turn.say(`told: ${completion.result}`);
      else if (text === "dig") {
        gate.reach();
        await turn.waitFor(gate.opened);
        await turn.say(SECRET);
      } else if (text === "find it") {
        await turn.callTool("sessions_spawn", { task: "dig", label: "digger" });
        await turn.say("looking");
      } else await turn.say(`heard: ${text}`);
    }
    return undefined;
  });
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ ...agent, env });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("find it");
  await ada.hears("looking");
  await gate.reached;
  return { agent, gate, grove, ada };
}

test("a reset by the API ends what the old conversation had asked for, and nothing of it is answered in the new one", async () => {
  const { agent, gate, grove, ada } = await openWithDigger();
  const before = await grove.read((read) => read.session(ADA));
  const { entry } = await grove.open.gateway.sessions.resolveSessionReset(RESET);
  gate.open();
  await ada.hears(/^⏹ digger · stopped[\s\S]*Its conversation was reset/, { once: true });
  await ada.says("and now?");
  await ada.hears("heard: and now?", { once: true });
  await grove.rests();
  const [run] = await grove.read((read) => read.runs({ limit: 9 }));
  expect([run?.state, run?.endedReason]).toEqual(["ended", "session-reset"]);
  expect(entry.sessionId).not.toBe(before?.sessionId);
  expect(await readTranscript(grove, ADA)).toEqual(["user: and now?", "assistant: heard: and now?"]);
  expect((await readTranscript(grove, ADA, before?.sessionId)).slice(0, 2)).toEqual([
    "user: find it",
    expect.stringContaining("sessions_spawn"),
  ]);
  expect((await ada.messages()).map(({ text }) => text).filter((text) => text.includes(SECRET))).toEqual([]);
  expect(agent.record.of(ADA).flatMap(({ input }) => input.map(({ text }) => text))).toEqual(["find it", "and now?"]);
});

test("a reset by the API stops the turn that runs; what waits goes on in the new conversation", async () => {
  const gate = createGate();
  onTestFinished(() => gate.open());
  const agent = createScriptedAgent((turn) =>
    turn.index === 0 ? [...say("old words"), wait(gate)] : say(`heard: ${turn.input.input[0]?.text}`),
  );
  const grove = await openGrove(agent);
  const web = grove.web("ada");
  const key = "agent:main:webchat:dm:ada";
  await web.says("begin");
  await gate.reached;
  const before = await grove.read((read) => read.session(key));
  await web.says("next");
  await grove.open.gateway.sessions.resolveSessionReset({ sessionKey: key, reason: "manual" });
  await web.hears("heard: next");
  await grove.rests();
  expect(await readTranscript(grove, key, before?.sessionId)).toEqual([
    "user: begin",
    "assistant (stopped): old words",
    "reset: manual",
  ]);
  expect(await readTranscript(grove, key)).toEqual(["user: next", "assistant: heard: next"]);
  expect(await web.lines()).toEqual(["user: begin", "user: next", "assistant: heard: next"]);
});

test("a reset of what is not there is refused with a sentence and begins nothing", async () => {
  const { grove, gate } = await openWithDigger();
  const reset = (sessionKey: string) =>
    grove.open.gateway.sessions.resolveSessionReset({ sessionKey, reason: "manual" });
  await expect(reset("agent:main:telegram:dm:8")).rejects.toThrow(/none has the sessionKey "agent:main:telegram:dm:8"/);
  await expect(reset("???")).rejects.toMatchObject({ code: "invalid_session_key" });
  expect(await grove.read(async (read) => (await read.counts()).sessions)).toBe(2);
  gate.open();
});
