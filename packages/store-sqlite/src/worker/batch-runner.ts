import type { DatabaseSync } from "node:sqlite";
import type { FaultPoint } from "@banyan/plugin-sdk";
import type { Step, StoreErrorCode } from "@banyan/store";
import { classifySqliteError, formatCause, type SqliteFailure } from "../database/sqlite-error.ts";
import { type ReadRequest, runRead, type SqliteReads } from "../reads/read-request.ts";
import type { StepRunner } from "./step-runner.ts";

export type Operation = Step | ReadRequest;

/** What became of one operation. */
export type Reply =
  | { readonly value: unknown }
  | { readonly error: { readonly code: StoreErrorCode; readonly message: string } };

/** The connection can go on no longer; what became of the batch is not known. */
export class BrokenConnection extends Error {
  readonly code: "corrupt" | "lost" | "unusable";

  constructor(code: "corrupt" | "lost" | "unusable", cause: unknown) {
    super(formatCause(cause), { cause });
    this.name = "BrokenConnection";
    this.code = code;
  }
}

export interface BatchParts {
  readonly database: DatabaseSync;
  readonly steps: StepRunner;
  readonly reads: SqliteReads;
  readonly faultPoint: FaultPoint;
  /** What a batch left in memory is not true any more. */
  onRollback(): void;
}

/**
 * Commits a batch as one transaction. Where anything in it fails it is taken back whole and done again one by one, each
 * operation a transaction of its own: so a failing one never takes others along, and the usual batch pays no savepoints.
 */
export class BatchRunner {
  readonly #parts: BatchParts;
  readonly #begin: () => void;
  readonly #commit: () => void;

  constructor(parts: BatchParts) {
    this.#parts = parts;
    const begin = parts.database.prepare("BEGIN IMMEDIATE");
    const commit = parts.database.prepare("COMMIT");
    this.#begin = () => {
      begin.run();
    };
    this.#commit = () => {
      commit.run();
    };
  }

  /** Throws `BrokenConnection`, and what a fault point throws. */
  run(operations: readonly Operation[], nowMs: number): Reply[] {
    return operations.some((operation) => "step" in operation)
      ? this.#commitBatch(operations, nowMs)
      : operations.map((operation) => this.#read(operation, nowMs));
  }

  #read(operation: Operation, nowMs: number): Reply {
    try {
      return { value: this.#runOne(operation, nowMs) };
    } catch (error) {
      return { error: buildFailure(operation, this.#judge(error), error) };
    }
  }

  #commitBatch(operations: readonly Operation[], nowMs: number): Reply[] {
    const { faultPoint } = this.#parts;
    let replies: Reply[];
    try {
      this.#begin();
      replies = operations.map((operation) => ({ value: this.#runOne(operation, nowMs) }));
    } catch (error) {
      return this.#takeBack(operations, nowMs, error);
    }
    faultPoint("store.commit.before");
    try {
      this.#commit();
    } catch (error) {
      return this.#takeBack(operations, nowMs, error);
    }
    faultPoint("store.commit.after");
    return replies;
  }

  #runOne(operation: Operation, nowMs: number): unknown {
    return "step" in operation ? this.#parts.steps(operation, nowMs) : runRead(this.#parts.reads, operation, nowMs);
  }

  #takeBack(operations: readonly Operation[], nowMs: number, error: unknown): Reply[] {
    const failure = this.#judge(error);
    if (this.#parts.database.isTransaction) this.#parts.database.exec("ROLLBACK");
    this.#parts.onRollback();
    if (operations.length > 1 && failure !== "busy") {
      return operations.flatMap((operation) => this.run([operation], nowMs));
    }
    return operations.map((operation) => ({ error: buildFailure(operation, failure, error) }));
  }

  /** Throws where the connection can go on no longer. */
  #judge(error: unknown): MildFailure {
    const failure = classifySqliteError(error);
    if (failure === "corrupt") throw new BrokenConnection("corrupt", error);
    if (failure === "broken") throw new BrokenConnection("unusable", error);
    return failure;
  }
}

type MildFailure = Exclude<SqliteFailure, "corrupt" | "broken">;

function buildFailure(
  operation: Operation,
  failure: MildFailure,
  error: unknown,
): { code: StoreErrorCode; message: string } {
  const what = "step" in operation ? `committing "${operation.step}"` : `reading "${operation.read}"`;
  const cause = formatCause(error);
  switch (failure) {
    case "busy":
      return {
        code: "commit_unknown",
        message: `${what}: another program holds the database (${cause}); send the same step again, end the other program`,
      };
    case "full":
      return {
        code: "full",
        message: `${what}: no space is left (${cause}), nothing was written; free some disk space`,
      };
    case "other":
      return { code: "unusable", message: `${what}: ${cause}, nothing was written; this is a fault of the program` };
  }
}
