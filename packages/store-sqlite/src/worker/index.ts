import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { StoreError } from "@banyan/store";
import { buildOpenError, getDatabasePath, LOST_CURE, openWritable } from "../database/open-database.ts";
import { classifySqliteError, formatCause } from "../database/sqlite-error.ts";
import { type MoveLogEnd, moveLog } from "../identity/generation.ts";
import { findWatermark } from "../projector/watermark.ts";
import { createReads } from "../reads/create-reads.ts";
import { BatchRunner, BrokenConnection } from "./batch-runner.ts";
import { type FaultPointModule, loadFaultPoint } from "./fault-point-module.ts";
import { FileWatch, identifyFile } from "./file-watch.ts";
import type { FindProjectedPos } from "./session-removal.ts";
import { createStepRunner } from "./step-runner.ts";
import { createTables, type Tables } from "./tables.ts";
import type { FromWriter, ToWriter, WriterOptions } from "./writer-message.ts";

/** Pages that every batch touches are moved once per this amount of log; its recovery stays below a second. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;
/** The time between two tries while a reader blocks a log of that size. */
const MOVE_LOG_EVERY_MS = 1_000;

/** The thread that owns the one writing connection, and everything done through it. Its starter holds the lock. */
interface Writer {
  readonly batches: BatchRunner;
  readonly tables: Tables;
  readonly files: FileWatch;
  /** Moves the log into the database file. Throws `BrokenConnection`. */
  moveLog(): MoveLogEnd;
  readLogBytes(): number;
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
  const parts = { database, stateDir: options.stateDir, synchronous: options.synchronous, faultPoint };
  const logPath = `${getDatabasePath(options.stateDir)}-wal`;
  return {
    batches,
    tables,
    files,
    moveLog() {
      try {
        return moveLog(parts, "rest");
      } catch (error) {
        throw new BrokenConnection(classifySqliteError(error) === "corrupt" ? "corrupt" : "unusable", error);
      }
    },
    readLogBytes: () => statSync(logPath, { throwIfNoEntry: false })?.size ?? 0,
    rescueLog() {
      // The connection still has the log open, whatever became of its name.
      if (files.isDatabaseThere) database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
    close() {
      faultPoint("store.close.before");
      moveLog(parts, "stop");
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

/** Answers messages in order. */
class Service {
  readonly #writer: Writer;
  /** A step was committed since the log was moved. */
  #hasWritten = false;
  /** The next step would have the generation of the database file, which lacks it. */
  #isUnmarked = false;
  #triedAtMs = Number.NEGATIVE_INFINITY;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Throws `BrokenConnection`. */
  answer(message: ToWriter): void {
    switch (message.type) {
      case "batch":
        this.#answerBatch(message);
        break;
      case "move_log":
        if (this.#hasWritten) this.#moveLog();
        break;
      case "close":
        this.#writer.close();
        send({ type: "closed" });
        parentPort?.close();
        break;
    }
  }

  #answerBatch({ operations, nowMs }: Extract<ToWriter, { type: "batch" }>): void {
    const { batches, tables } = this.#writer;
    const hasSteps = operations.some((operation) => "step" in operation);
    if (hasSteps && this.#isUnmarked) this.#moveLog();
    const replies = batches.run(operations, nowMs);
    const { sessions } = tables;
    const agents = [...sessions.changedAgents];
    sessions.changedAgents.clear();
    this.#hasWritten ||= hasSteps;
    if (hasSteps) this.#writer.files.check(nowMs);
    send({ type: "batch", replies, hasSteps, agents });
    if (!hasSteps || Math.abs(nowMs - this.#triedAtMs) < MOVE_LOG_EVERY_MS) return;
    if (this.#writer.readLogBytes() < MAX_LOG_BYTES) return;
    this.#triedAtMs = nowMs;
    this.#moveLog();
  }

  #moveLog(): void {
    const end = this.#writer.moveLog();
    this.#hasWritten = end !== "done";
    this.#isUnmarked = end === "unmarked";
    if (this.#hasWritten) send({ type: "log_left" });
  }
}

async function serve(options: WriterOptions): Promise<void> {
  const writer = openWriter(options, await loadFaultPoint(options.faultPointModule));
  const service = new Service(writer);
  parentPort?.on("message", (message: ToWriter) => {
    try {
      service.answer(message);
    } catch (error) {
      if (!(error instanceof BrokenConnection)) throw error;
      sendFailure(error);
      if (error.code === "lost") writer.rescueLog();
      parentPort?.close();
    }
  });
  send({ type: "opened", database: identifyFile(getDatabasePath(options.stateDir)) });
}

const options: WriterOptions = workerData;
await serve(options).catch((error: unknown) => sendRefusal(options.stateDir, error));
