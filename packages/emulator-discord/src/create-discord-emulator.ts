import { type Clock, createShiftedClock, createSignal, createSystemClock } from "@banyan/emulator-kit";
import { CONTROL_PATH, ControlApi } from "./control/control-api.ts";
import { createLocalControl } from "./control/operation.ts";
import { DiscordEmulator } from "./discord-emulator.ts";
import { FaultList } from "./faults/fault-list.ts";
import { CallJournal } from "./records/call-record.ts";
import { InvalidRequestLimit } from "./rest/invalid-request-limit.ts";
import { RateLimit } from "./rest/rate-limit.ts";
import { API_PATH, RestApi } from "./rest/rest-api.ts";
import { Router } from "./rest/router.ts";
import { ROUTES } from "./routes/catalog.ts";
import { createGatewayServer } from "./server/gateway-server.ts";
import { type Route, startHttpServer } from "./server/http-server.ts";
import { type SentListener, World } from "./world/world.ts";

/** What Discord asks of clients. */
const HEARTBEAT_INTERVAL_MS = 41_250;

export interface DiscordEmulatorOptions {
  /** Any free port if left out. */
  readonly port?: number;
  /** The platform's time; how long a test waits for something is real time all the same. */
  readonly clock?: Clock;
  /** "counts" keeps numbers instead of calls, and few messages of a channel, so that a bench's memory stays flat. */
  readonly record?: "calls" | "counts";
  /** "real" for rate limits, pace of the gateway and the like; none if left out. */
  readonly limits?: "off" | "real";
  /** Given to clients in HELLO, who keep it in real time; 41250 if left out. */
  readonly heartbeatIntervalMs?: number;
  /** Whether GET of messages gives the nonce that a message was made with; no if left out. */
  readonly historyNonces?: boolean;
  /** Whether a nonce is known in its own channel only; no if left out. */
  readonly channelNonces?: boolean;
  /** For a bench, which has no time to ask. */
  readonly onSent?: SentListener;
}

/** Starts an emulated Discord on loopback in this process. */
export async function createDiscordEmulator(options: DiscordEmulatorOptions = {}): Promise<DiscordEmulator> {
  const patience = createSystemClock();
  const record = options.record ?? "calls";
  const limits = options.limits ?? "off";
  const clock = createShiftedClock(options.clock ?? createSystemClock());
  const keepsNonces = options.historyNonces ?? false;
  const world = new World({
    clock,
    patience,
    isExact: record === "calls",
    limits,
    keepsNonces,
    hasChannelNonces: options.channelNonces ?? false,
    onSent: options.onSent,
  });
  const journal = new CallJournal(record, createSignal(patience));
  const faults = new FaultList(createSignal(patience), clock);
  const isReal = limits === "real";
  const rateLimit = isReal ? new RateLimit() : undefined;
  const invalidLimit = isReal ? new InvalidRequestLimit() : undefined;
  const parts = { world, journal, faults, clock };
  const restApi = new RestApi({ world, journal, faults, rateLimit, invalidLimit, router: new Router(ROUTES) });
  const controlApi = new ControlApi(parts);
  const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
    [`${API_PATH}/`, (exchange, path, query) => restApi.answer(exchange, path, query)],
    [`${CONTROL_PATH}/`, (exchange, path) => controlApi.answer(exchange, path)],
  ]);
  const heartbeatIntervalMs = options.heartbeatIntervalMs ?? HEARTBEAT_INTERVAL_MS;
  const gateway = createGatewayServer({ world, heartbeatIntervalMs, isPaced: isReal });
  const server = await startHttpServer(options.port ?? 0, routes, gateway.upgrade);
  world.gatewayUrl = `ws://127.0.0.1:${server.port}/gateway`;
  return new DiscordEmulator({
    url: `http://127.0.0.1:${server.port}${API_PATH}`,
    control: createLocalControl(parts),
    close: async () => {
      gateway.close();
      await server.close();
      faults.clear();
      clock.close();
    },
  });
}
