import { type ModelScript, readText } from "@banyan/emulator-model";
import type { AcpRecord } from "@banyan/plugin-sdk";
import { endOf, readAll, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { expect, test } from "vitest";
import { isOpencodeNamed, OPENCODE_LIMIT_MS, openOpencode, WORK_MODEL } from "../desk/opencode-desk.ts";
import { createSystemClock } from "../desk/system-clock.ts";

/** Says what it was told in the whole conversation. */
const remember: ModelScript = ({ messages }) => ({
  text: messages.flatMap((message) => (message.role === "user" ? [readText(message)] : [])).join(", "),
});

async function meetOpencode() {
  const { runtime, server, kill } = await openOpencode("ask", remember);
  const desk = new TurnDesk();
  const kept: AcpRecord[] = [];
  const says = async (text: string) => {
    const acp = kept.at(-1);
    const conversation = { sessionKey: "agent:main:grove:dm:1", sessionId: "1", agentId: "main", workspaceDir: "/w" };
    const session = await runtime.open(
      { ...conversation, tools: [], audience: "known", ...(acp === undefined ? {} : { acp }) },
      { clock: createSystemClock(), log: desk.log, keepAcp: async (record) => void kept.push(record) },
      new AbortController().signal,
    );
    const events = await readAll(session.run(desk.turn(text)));
    await session.close();
    return { text: textOf(events), end: endOf(events) };
  };
  return {
    kept,
    says,
    /** Its process is killed when its model has been asked. */
    async diesOf(text: string) {
      const gate = server.hold({ model: WORK_MODEL, times: 1 });
      const said = says(text);
      await gate.reached(1, OPENCODE_LIMIT_MS);
      kill();
      await gate.cut();
      return said;
    },
  };
}

test.skipIf(!isOpencodeNamed)(
  "opencode goes on in its session after its process was killed in the middle (only with BANYAN_TEST_OPENCODE)",
  async () => {
    const opencode = await meetOpencode();
    expect(await opencode.says("one")).toMatchObject({ text: "one" });
    expect(await opencode.diesOf("two")).toMatchObject({ end: { reason: "error", error: { isRetryable: true } } });
    expect(await opencode.says("three")).toMatchObject({ text: "one, two, three", end: { reason: "done" } });
    expect(new Set(opencode.kept.map(({ identity }) => identity.agentSessionId)).size).toBe(1);
  },
  OPENCODE_LIMIT_MS,
);
