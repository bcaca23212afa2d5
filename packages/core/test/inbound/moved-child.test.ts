import { type Address, formatAddress } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { openSessionEntry } from "../../src/sessions/open-session-entry.ts";
import { buildSessionWrite } from "../../src/sessions/session-record.ts";
import { CoreDesk } from "../turns/core-desk.ts";

const CHILD = "agent:main:subagent:5f0c";
const OLD_KEY = "agent:main:irc:group:grove";
const NEW_KEY = "agent:main:irc:group:-100grove";

function groveAddress(chat: string, thread?: string): Address {
  const place = { channel: "irc", account: "default", kind: "group", chat } as const;
  return formatAddress(thread === undefined ? place : { ...place, thread });
}

it("a group that goes on under another id takes its children's threads along", async () => {
  const desk = await new CoreDesk().connect();
  await desk.receive([desk.message("before", { address: groveAddress("grove"), addressed: true })]);
  const address = groveAddress("grove", "7");
  const entry = {
    ...openSessionEntry({ key: CHILD, sessionId: desk.ports.createUuid(), now: 1 }),
    spawnedBy: OLD_KEY,
    deliveryContext: address,
  };
  const session = buildSessionWrite({ key: CHILD, agentId: "main", revision: 0 }, entry);
  await desk.store.commit({ step: "write_session", writeId: CHILD, session });
  const binding = { id: "b1", address, sessionKey: CHILD, kind: "thread" } as const;
  await desk.store.commit({ step: "bind", address, binding, timers: [], endTimers: [] });
  await desk.receive([desk.message("one", { address })]);

  await desk.moves.migrateChat({ from: groveAddress("grove"), to: groveAddress("-100grove") });
  await desk.receive([desk.message("two", { address: groveAddress("-100grove", "7") })]);

  expect(await desk.lines(CHILD)).toEqual(["user: one", "assistant: re: one", "user: two", "assistant: re: two"]);
  const row = await desk.store.read.session(CHILD);
  expect(JSON.parse(row?.body ?? "{}")).toMatchObject({
    spawnedBy: NEW_KEY,
    deliveryContext: groveAddress("-100grove", "7"),
  });
});
