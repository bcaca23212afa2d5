import { createSignal } from "@banyan/emulator-kit";
import { expect, it } from "vitest";
import { FaultList } from "../src/faults/fault-list.ts";
import { createDiscordEmulator, createManualClock, type ManualClock } from "../src/index.ts";
import { CallJournal, RECORD_LIMIT } from "../src/records/call-record.ts";
import { INVALID_LIMIT, InvalidRequestLimit } from "../src/rest/invalid-request-limit.ts";
import { RestApi } from "../src/rest/rest-api.ts";
import { Router } from "../src/rest/router.ts";
import { ROUTES } from "../src/routes/catalog.ts";
import { REQUEST_LIMIT_BYTES } from "../src/server/exchange.ts";
import { type Route, startHttpServer } from "../src/server/http-server.ts";
import { CHANNEL_LIMIT_EVENTS } from "../src/world/message-log.ts";
import { World } from "../src/world/world.ts";
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

it("bars an address that is refused ten thousand times in ten minutes, whatever it asks for (D13)", async () => {
  const clock = createManualClock();
  const invalid = new InvalidRequestLimit();
  for (let count = 1; count < INVALID_LIMIT; count += 1) invalid.count([401, 403, 429][count % 3] ?? 401, "user", 0);
  for (const status of [200, 400, 404, 503]) invalid.count(status, undefined, 0);
  invalid.count(429, "shared", 0);
  expect(invalid.isReached(0)).toBe(false);
  invalid.count(401, undefined, 599_999);
  expect([invalid.isReached(599_999), invalid.isReached(600_000)]).toEqual([true, false]);

  for (let more = 0; more <= INVALID_LIMIT; more += 1) invalid.count(401, undefined, clock.nowMs());
  const server = await startBareApi(clock, invalid);
  const api = createRestClient(`http://127.0.0.1:${server.port}/api`);
  expect(await api("GET", "/users/@me")).toMatchObject({ status: 403, body: expect.stringContaining("<h1>") });
  clock.advance(10 * 60_000);
  expect((await api("GET", "/users/@me")).status).toBe(200);
  for (let more = 2; more < INVALID_LIMIT; more += 1) invalid.count(401, undefined, clock.nowMs());
  const nobody = createRestClient(`http://127.0.0.1:${server.port}/api`, "nobody");
  for (const status of [401, 401, 403]) expect((await nobody("GET", "/users/@me")).status).toBe(status);
  await server.close();
});

/** The REST side alone, with a limit that a test has filled. */
function startBareApi(clock: ManualClock, invalidLimit: InvalidRequestLimit): ReturnType<typeof startHttpServer> {
  const world = new World({
    clock,
    patience: clock,
    isExact: true,
    limits: "real",
    keepsNonces: false,
    hasChannelNonces: false,
  });
  world.bots.add(GROVE);
  const journal = new CallJournal("calls", createSignal(clock));
  const faults = new FaultList(createSignal(clock), clock);
  const api = new RestApi({ world, journal, faults, invalidLimit, rateLimit: undefined, router: new Router(ROUTES) });
  const routes = new Map<string, Route>([["/api/", (exchange, path, query) => api.answer(exchange, path, query)]]);
  return startHttpServer(0, routes, (_, socket) => socket.destroy());
}

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
