import type { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { StoreError } from "@banyan/plugin-sdk/store";
import { buildOpenError, getDatabasePath, LOST_CURE, openWritable } from "../database/open-database.ts";
import { formatCause } from "../database/sqlite-error.ts";
import { findWatermark } from "../projector/watermark.ts";
import { createReads } from "../reads/create-reads.ts";
import { BatchRunner, BrokenConnection } from "./batch-runner.ts";
import { type FaultPointModule, loadFaultPoint } from "./fault-point-module.ts";
import { FileWatch, identifyFile } from "./file-watch.ts";
import type { FindProjectedPos } from "./session-removal.ts";
import { createStepRunner } from "./step-runner.ts";
import { createTables, type Tables } from "./tables.ts";
import type { FromWriter, ToWriter, WriterOptions } from "./writer-message.ts";

/** The thread that owns the one writing connection, and everything done through it. Its starter holds the lock. */
interface Writer {
  readonly batches: BatchRunner;
  readonly tables: Tables;
  readonly files: FileWatch;
  /** Moves what a removed log still holds to the database, where that is still there. */
  rescueLog(): void;
  close(): void;
}

function openWriter(options: WriterOptions, module: FaultPointModule | undefined): Writer {
  const faultPoint = module?.faultPoint ?? (() => undefined);
  refuseOtherFile(options);
  const database = openWritable(options.stateDir, options, faultPoint);
  module?.prepareDatabase(database);
  const tables = createTables(database);
  const batches = new BatchRunner({
    database,
    steps: createStepRunner(database, tables, createProjectedPos(database, options)),
    reads: createReads(database),
    faultPoint,
    onRollback: () => tables.routeRevision.forget(),
  });
  const files = new FileWatch(options.stateDir);
  return {
    batches,
    tables,
    files,
    rescueLog() {
      // The connection still has the log open, whatever became of its name.
      if (files.isDatabaseThere) database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
    close() {
      faultPoint("store.close.before");
      database.close();
      faultPoint("store.close.after");
    },
  };
}

/** A worker that is started again begins no other store. Throws a `StoreError`. */
function refuseOtherFile({ stateDir, database }: WriterOptions): void {
  const path = getDatabasePath(stateDir);
  if (database === undefined || identifyFile(path) === database) return;
  throw new StoreError("lost", `opening ${path} again: it was removed or replaced while it was in use; ${LOST_CURE}`);
}

/** How far the layout surely has what was written: the projector says so beside it. */
function createProjectedPos(database: DatabaseSync, { stateDir, readable }: WriterOptions): FindProjectedPos {
  if (!readable) return () => Number.POSITIVE_INFINITY;
  const storeId = database.prepare("SELECT value FROM meta WHERE name = 'store_id'").get()?.value;
  return () => {
    const watermark = findWatermark(stateDir);
    return watermark === undefined || watermark.storeId !== storeId ? 0 : watermark.pos;
  };
}

function send(message: FromWriter): void {
  parentPort?.postMessage(message);
}

function sendFailure(error: unknown): void {
  const code = error instanceof BrokenConnection ? error.code : "unusable";
  send({ type: "failed", code, message: formatCause(error) });
}

function sendRefusal(stateDir: string, error: unknown): void {
  const { code, message } = buildOpenError(getDatabasePath(stateDir), error);
  send({ type: "refused", code, message });
}

function answerBatch(writer: Writer, message: Extract<ToWriter, { type: "batch" }>): void {
  const replies = writer.batches.run(message.operations, message.nowMs);
  const { sessions } = writer.tables;
  const agents = [...sessions.changedAgents];
  sessions.changedAgents.clear();
  const hasSteps = message.operations.some((operation) => "step" in operation);
  if (hasSteps) writer.files.check(message.nowMs);
  send({ type: "batch", replies, hasSteps, agents });
}

async function serve(options: WriterOptions): Promise<void> {
  const writer = openWriter(options, await loadFaultPoint(options.faultPointModule));
  parentPort?.on("message", (message: ToWriter) => {
    if (message.type === "batch") {
      try {
        answerBatch(writer, message);
      } catch (error) {
        if (!(error instanceof BrokenConnection)) throw error;
        sendFailure(error);
        if (error.code === "lost") writer.rescueLog();
        parentPort?.close();
      }
      return;
    }
    writer.close();
    send({ type: "closed" });
    parentPort?.close();
  });
  send({ type: "opened", database: identifyFile(getDatabasePath(options.stateDir)) });
}

const options: WriterOptions = workerData;
await serve(options).catch((error: unknown) => sendRefusal(options.stateDir, error));
