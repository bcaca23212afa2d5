import { StoreError } from "@banyan/store";
import { LOST_CURE } from "./database/open-database.ts";
import { formatCause } from "./database/sqlite-error.ts";
import { formatRestoreCure } from "./keeper/list-backups.ts";
import type { FromWriter, ToWriter, WriterOptions } from "./worker/writer-message.ts";
import { startThread, type WorkerThread } from "./worker-thread.ts";

/** How one life of the writing worker ended. */
export type WriterEnd =
  /** As it was told to. */
  | { readonly how: "closed" }
  /** The database could not be opened. */
  | { readonly how: "refused"; readonly error: StoreError }
  /** `canRevive`: a new connection may do better. */
  | { readonly how: "died"; readonly error: StoreError; readonly canRevive: boolean };

export interface WriterLifeListeners {
  /** `database`: which file it is. */
  onOpened(database: string | undefined): void;
  /** A part of the log could not be moved into the database file: it is to be tried again. */
  onLogLeft(): void;
  onBatch(message: Extract<FromWriter, { type: "batch" }>): void;
  /** Once, and nothing after it: the thread and its connection are gone. */
  onEnd(end: WriterEnd): void;
}

/** Starts the writing worker once. What is posted before it is open is read when it is. */
export function startWriterLife(options: WriterOptions, listeners: WriterLifeListeners): WorkerThread<ToWriter> {
  let end: WriterEnd | undefined;
  return startThread<ToWriter, FromWriter>("worker", options, {
    onMessage(message) {
      switch (message.type) {
        case "opened":
          listeners.onOpened(message.database);
          break;
        case "refused":
          end = { how: "refused", error: new StoreError(message.code, message.message) };
          break;
        case "batch":
          listeners.onBatch(message);
          break;
        case "log_left":
          listeners.onLogLeft();
          break;
        case "failed":
          end = buildDeath(options.stateDir, message.code, message.message, undefined);
          break;
        case "closed":
          end = { how: "closed" };
          break;
      }
    },
    onEnd(death) {
      const cause = death === undefined ? "its worker ended" : formatCause(death);
      listeners.onEnd(end ?? buildDeath(options.stateDir, "unusable", cause, death));
    },
  });
}

function buildDeath(stateDir: string, code: StoreError["code"], cause: string, death: unknown): WriterEnd {
  if (code === "corrupt") {
    const message = `writing the store in ${stateDir}: the database is damaged (${cause}); ${formatRestoreCure(stateDir)}`;
    return { how: "died", error: new StoreError("corrupt", message), canRevive: false };
  }
  if (code === "lost") {
    const message = `writing the store in ${stateDir}: ${cause}, so nothing can be stored any more; ${LOST_CURE}`;
    return { how: "died", error: new StoreError("lost", message), canRevive: false };
  }
  const message = `writing the store in ${stateDir}: ${cause}; what was on its way may be stored or not, start again`;
  return { how: "died", error: new StoreError("unusable", message, { cause: death }), canRevive: true };
}
