import { resolve } from "node:path";
import type { Clock, Log } from "@banyan/plugin-sdk";
import { type Store, StoreError } from "@banyan/store";
import { type StoreLock, takeLock } from "./database/lock.ts";
import { buildOpenError, getDatabasePath } from "./database/open-database.ts";
import { createStateFolder } from "./database/state-folder.ts";
import { KeeperThread } from "./keeper-thread.ts";
import { ProjectorThread } from "./projector-thread.ts";
import { createSystemClock } from "./system-clock.ts";
import { WriterThread } from "./writer-thread.ts";

export interface SqliteStoreOptions {
  /** Made with mode 0700 where it is missing. */
  readonly stateDir: string;
  /** The name of an agent's folder below `agents/`; without it the agent's id. Called once per agent. */
  readonly agentDirOf?: (agentId: string) => string;
  /** `full` (default): a committed step outlives the loss of power. `normal`: it outlives the death of the process. */
  readonly synchronous?: "full" | "normal";
  /** Whether the readable layout is kept beside the database. Default: yes. */
  readonly readable?: boolean;
  /** Starts empty where the store was lost, and keeps the rest of it in `replaced/`. Refused where it was not lost. */
  readonly newStore?: boolean;
  /** Tests of a full disk: the most pages the database may have. */
  readonly maxPages?: number;
  readonly log?: Log;
  /** Tests: the file URL of a module that the workers load; `fault-point-module.ts` says what it exports. */
  readonly faultPointModule?: string;
  readonly clock?: Clock;
}

export interface SqliteStore extends Store {
  /** Resolves when everything committed before stands in the readable layout. */
  projectNow(): Promise<void>;
  /** Looks through the whole file now; damage is told to the `onFailure` listeners. */
  checkNow(): Promise<void>;
  /** Makes a backup now; its path. `undefined`: nothing changed since the newest one. */
  backUpNow(): Promise<string | undefined>;
  /** Tests: kills the writing worker where it stands. The first time it is started again. */
  terminateWriter(): Promise<void>;
}

/** Opens the store of a state directory and takes its lock. Rejects with a `StoreError`; nothing is open then. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const stateDir = resolve(options.stateDir);
  const lock = lockState(stateDir);
  const threads: StoreThreads = {};
  try {
    return await openLocked({ ...options, stateDir }, lock, threads);
  } catch (error) {
    try {
      await closeThreads(stateDir, threads);
    } finally {
      lock.release();
    }
    throw buildOpenError(getDatabasePath(stateDir), error);
  }
}

/** Each is set as soon as it runs: what comes after it may throw. */
interface StoreThreads {
  writer?: WriterThread;
  projector?: ProjectorThread;
  keeper?: KeeperThread;
}

async function openLocked(options: SqliteStoreOptions, lock: StoreLock, threads: StoreThreads): Promise<SqliteStore> {
  const { stateDir, synchronous = "full", readable = true, newStore = false, maxPages } = options;
  const { log, faultPointModule, agentDirOf } = options;
  const clock = options.clock ?? createSystemClock();
  const failure = createFailure();
  const faultPoint = faultPointModule === undefined ? {} : { faultPointModule };
  const limits = maxPages === undefined ? {} : { maxPages };
  const writer = new WriterThread(
    { stateDir, synchronous, readable, fresh: newStore ? "replace" : "create", ...limits, ...faultPoint },
    {
      clock,
      log,
      onCommit: (agents) => threads.projector?.note(agents),
      onFailure(error) {
        if (error.code === "lost") threads.projector?.abandon();
        failure.tell(error);
      },
    },
  );
  await writer.opened;
  threads.writer = writer;
  if (readable) {
    const asksAgentFolders = agentDirOf !== undefined;
    const project = { stateDir, targetDir: stateDir, asksAgentFolders, ...faultPoint };
    threads.projector = new ProjectorThread(project, { clock, log, agentDirOf });
  }
  const keeper = new KeeperThread({
    stateDir,
    ...faultPoint,
    clock,
    log,
    onBackup: () => writer.moveLog(),
    checkSmall: async () => threads.projector?.check(),
    onDamage(error) {
      void writer.finish(new StoreError("closed", error.message, { cause: error }));
      failure.tell(error);
    },
  });
  threads.keeper = keeper;
  let closing: Promise<void> | undefined;
  return {
    driver: "sqlite",
    commit: (step) => writer.commit(step),
    read: writer.read,
    onFailure: (listener) => failure.listen(listener),
    close() {
      closing ??= closeThreads(stateDir, threads).finally(() => lock.release());
      return closing;
    },
    projectNow: async () => threads.projector?.projectNow(),
    checkNow: async () => {
      await keeper.check();
    },
    backUpNow: () => keeper.backUp(),
    terminateWriter: () => writer.terminate(),
  };
}

/** Throws a `StoreError`. */
function lockState(stateDir: string): StoreLock {
  try {
    createStateFolder(stateDir);
    return takeLock(stateDir);
  } catch (error) {
    throw buildOpenError(getDatabasePath(stateDir), error);
  }
}

async function closeThreads(stateDir: string, { writer, projector, keeper }: StoreThreads): Promise<void> {
  await writer?.finish(new StoreError("closed", `using the store in ${stateDir}: it was closed; open it again`));
  try {
    await Promise.all([projector?.close(), keeper?.close()]);
  } finally {
    await writer?.close();
  }
}

/** Tells the listeners once, also those that come after it happened. */
function createFailure(): { tell(error: StoreError): void; listen(listener: (error: StoreError) => void): void } {
  const listeners: ((error: StoreError) => void)[] = [];
  let told: StoreError | undefined;
  return {
    tell(error) {
      if (told !== undefined) return;
      told = error;
      for (const listener of listeners) listener(error);
    },
    listen(listener) {
      if (told === undefined) listeners.push(listener);
      else listener(told);
    },
  };
}
