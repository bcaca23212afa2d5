import { expect, it } from "vitest";
import { createDiscordEmulator, createManualClock } from "../src/index.ts";
import { createSignal } from "../src/ports/signal.ts";
import { CallJournal, RECORD_LIMIT } from "../src/records/call-record.ts";
import { REQUEST_LIMIT_BYTES } from "../src/server/exchange.ts";
import { CHANNEL_LIMIT_EVENTS } from "../src/world/message-log.ts";
import { identify, openGateway, resume } from "./gateway-client.ts";
import { GROVE } from "./grove.ts";
import { list, pick } from "./pick.ts";
import { createRestClient } from "./rest-client.ts";

it("refuses to read a record that is no longer whole", () => {
  const journal = new CallJournal("calls", createSignal(createManualClock()));
  for (let count = 0; count <= RECORD_LIMIT; count += 1) {
    journal.open({ route: "GET /gateway", path: "/gateway", query: "", files: [], atMs: 0 });
  }
  expect(() => journal.list({})).toThrow(`more than ${RECORD_LIMIT} calls`);
});

it("refuses to keep more of a channel than it can, and keeps few of a bench", async () => {
  const emulator = await createDiscordEmulator();
  await emulator.addBot(GROVE);
  const ada = await emulator.user({ id: "200", username: "ada" });
  const line = ada.dm().line("x");
  await emulator.sayAll(Array.from({ length: CHANNEL_LIMIT_EVENTS }, () => line));
  await expect(ada.dm().says("one more")).rejects.toMatchObject({ code: "limit_reached" });
  await emulator.close();

  const bench = await createDiscordEmulator({ record: "counts" });
  await bench.addBot(GROVE);
  const bob = await bench.user({ id: "201", username: "bob" });
  await bench.sayAll(Array.from({ length: 2000 }, () => bob.dm().line("x")));
  const history = await bob.dm().history();
  expect(history.length).toBeLessThan(1000);
  const { id: channel } = await bob.dm().state();
  const { body } = await createRestClient(bench.url)("GET", `/channels/${channel}/messages?limit=1`);
  expect(list(body).map((message) => pick(message, "id"))).toEqual([history.at(-1)?.messageId]);
  await expect(bench.record()).rejects.toMatchObject({ code: "limit_reached" });
  await bench.close();
});

it("takes no request above 25 MiB (D4)", async () => {
  const emulator = await createDiscordEmulator();
  await emulator.addBot(GROVE);
  const large = { content: "x".repeat(REQUEST_LIMIT_BYTES) };
  const answer = await createRestClient(emulator.url)("POST", "/channels/1/messages", large);
  expect(answer).toMatchObject({ status: 413, body: { code: 40005 } });
  await emulator.close();
});

it("replays ten thousand dispatches, and refuses a session that missed more (D46)", async () => {
  const emulator = await createDiscordEmulator();
  await emulator.addBot(GROVE);
  const ada = await emulator.user({ id: "200", username: "ada" });
  const { body } = await createRestClient(emulator.url)("GET", "/gateway/bot");
  const url = `${String(pick(body, "url"))}?v=10`;
  const first = await openGateway(url);
  const ready = await identify(first, GROVE.token, 4096);
  first.terminate();
  await emulator.gateway.disconnected();
  const line = ada.dm().line("x");
  await emulator.sayAll(Array.from({ length: 10_000 }, () => line));
  const second = await openGateway(url);
  await resume(second, GROVE.token, pick(ready.d, "session_id"), 1);
  expect(await second.until("RESUMED")).toHaveLength(10_001);
  second.terminate();
  await emulator.gateway.disconnected();
  await emulator.sayAll([line, line]);
  const third = await openGateway(url);
  await resume(third, GROVE.token, pick(ready.d, "session_id"), 1);
  expect(await third.next()).toMatchObject({ op: 9, d: false });
  await emulator.close();
});
