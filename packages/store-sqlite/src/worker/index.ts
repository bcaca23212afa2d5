import type { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { buildOpenError, getDatabasePath, openWritable } from "../database/open-database.ts";
import { formatCause } from "../database/sqlite-error.ts";
import { findWatermark } from "../projector/watermark.ts";
import { createReads } from "../reads/create-reads.ts";
import { BatchRunner, BrokenConnection } from "./batch-runner.ts";
import { type FaultPointModule, loadFaultPoint } from "./fault-point-module.ts";
import type { FindProjectedPos } from "./session-removal.ts";
import { createStepRunner } from "./step-runner.ts";
import { createTables, type Tables } from "./tables.ts";
import type { FromWriter, ToWriter, WriterOptions } from "./writer-message.ts";

/** The thread that owns the one writing connection, and everything done through it. Its starter holds the lock. */
interface Writer {
  readonly batches: BatchRunner;
  readonly tables: Tables;
  close(): void;
}

function openWriter(options: WriterOptions, module: FaultPointModule | undefined): Writer {
  const faultPoint = module?.faultPoint ?? (() => undefined);
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
  return {
    batches,
    tables,
    close() {
      faultPoint("store.close.before");
      database.close();
      faultPoint("store.close.after");
    },
  };
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
        parentPort?.close();
      }
      return;
    }
    writer.close();
    send({ type: "closed" });
    parentPort?.close();
  });
  send({ type: "opened" });
}

const options: WriterOptions = workerData;
await serve(options).catch((error: unknown) => sendRefusal(options.stateDir, error));
