import { type Clock, createShiftedClock, createSignal, createSystemClock } from "@banyan/emulator-kit";
import { CONTROL_PATH, ControlApi } from "./control/control-api.ts";
import { createLocalControl } from "./control/local-control.ts";
import { FaultList } from "./faults/fault-list.ts";
import { answerDownload } from "./files/file-download.ts";
import { Platform, type SentListener } from "./platform.ts";
import { CallJournal } from "./records/call-record.ts";
import { BotApi } from "./server/bot-api.ts";
import { FloodLimit, type FloodLimits } from "./server/flood-limit.ts";
import { type Route, startHttpServer } from "./server/http-server.ts";
import { TelegramEmulator } from "./telegram-emulator.ts";

export interface TelegramEmulatorOptions {
  /** Any free port if left out. */
  readonly port?: number;
  /** The platform's time; how long a test waits for something is real time all the same. */
  readonly clock?: Clock;
  /** From 0 to below 1, for the first update ids. */
  readonly random?: () => number;
  /** "counts" keeps numbers instead of calls, and few messages of a chat, so that a bench's memory stays flat. */
  readonly record?: "calls" | "counts";
  /** Telegram's limits on sending; none if left out. */
  readonly limits?: FloodLimits;
  /** Whether a bot that polls in a hurry is slowed down as by the real server; no if left out. */
  readonly strictPacing?: boolean;
  /**
   * A Bot API server of one's own, as with its `--local`: webhooks may be plain http, on any port, on loopback. Only such
   * ones are really called; no if left out.
   */
  readonly local?: boolean;
  /** Called with each message that a bot sends to a person, for a bench that answers at once. */
  readonly onSent?: SentListener;
}

/** Starts an emulated Telegram on loopback in this process. */
export async function createTelegramEmulator(options: TelegramEmulatorOptions = {}): Promise<TelegramEmulator> {
  const patience = createSystemClock();
  const record = options.record ?? "calls";
  const clock = createShiftedClock(options.clock ?? createSystemClock());
  const platform = new Platform({
    clock,
    patience,
    random: options.random ?? Math.random,
    isExact: record === "calls",
    isPacingStrict: options.strictPacing ?? false,
    isLocalServer: options.local ?? false,
    onSent: options.onSent,
  });
  const journal = new CallJournal(record, createSignal(patience));
  const faults = new FaultList(createSignal(patience), clock);
  const floodLimit = new FloodLimit(options.limits ?? {});
  const control = createLocalControl({ platform, journal, faults, floodLimit, clock });
  const botApi = new BotApi({ platform, journal, faults, floodLimit });
  const controlApi = new ControlApi(control);
  const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
    ["/bot", (exchange, path, query) => botApi.answer(exchange, path, query)],
    ["/file/bot", (exchange, path) => answerDownload({ platform, journal, faults }, exchange, path)],
    [`${CONTROL_PATH}/`, (exchange, path) => controlApi.answer(exchange, path)],
  ]);
  const server = await startHttpServer(options.port ?? 0, routes);
  return new TelegramEmulator({
    url: server.url,
    control,
    close: async () => {
      platform.close();
      await server.close();
      faults.clear();
    },
  });
}
