import { parentPort, workerData } from "node:worker_threads";
import { type StoreLock, takeLock } from "../database/lock.ts";
import { buildOpenError, getDatabasePath, openWritable } from "../database/open-database.ts";
import { formatCause } from "../database/sqlite-error.ts";
import { createStateFolder } from "../database/state-folder.ts";
import { createReads } from "../reads/create-reads.ts";
import { BatchRunner, BrokenConnection } from "./batch-runner.ts";
import { loadFaultPoint } from "./fault-point-module.ts";
import { createStepRunner } from "./step-runner.ts";
import { createTables, type Tables } from "./tables.ts";
import type { FromWriter, ToWriter, WriterOptions } from "./writer-message.ts";

/** The thread that owns the database: the lock, the one writing connection, and everything done through it. */
interface Writer {
  readonly batches: BatchRunner;
  readonly tables: Tables;
  close(): void;
}

function openWriter(options: WriterOptions, faultPoint: (name: string) => void): Writer {
  createStateFolder(options.stateDir);
  const lock: StoreLock = takeLock(options.stateDir);
  try {
    const database = openWritable(options.stateDir, options, faultPoint);
    const tables = createTables(database);
    const batches = new BatchRunner({
      database,
      steps: createStepRunner(database, tables),
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
        lock.release();
        faultPoint("store.close.after");
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function send(message: FromWriter): void {
  parentPort?.postMessage(message);
}

function sendFailure(error: unknown): void {
  const code = error instanceof BrokenConnection ? error.code : "unusable";
  send({ type: "failed", code, message: formatCause(error) });
}

function sendRefusal(stateDir: string, error: unknown): void {
  const { code, message, holderPid } = buildOpenError(getDatabasePath(stateDir), error);
  send({ type: "refused", code, message, holderPid });
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
  const faultPoint = await loadFaultPoint(options.faultPointModule);
  const writer = openWriter(options, faultPoint ?? (() => undefined));
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
