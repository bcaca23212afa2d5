import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { type ResourceLimits, Worker } from "node:worker_threads";

export type ThreadName = "worker" | "projector" | "keeper";

export interface ThreadListeners<Out> {
  onMessage(message: Out): void;
  /** Once, and nothing after it. `error`: what it died of; `undefined` where it ended by itself. */
  onEnd(error: unknown): void;
}

/** Room for new objects in megabytes: those that seldom work keep little. Their pages of rows are a few megabytes. */
const LIMITS: Readonly<Record<ThreadName, ResourceLimits>> = {
  worker: {},
  projector: { maxYoungGenerationSizeMb: 4 },
  keeper: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 64 },
};

/** One of this package's threads, with typed messages. */
export interface WorkerThread<In> {
  post(message: In): void;
  /** Ends it at once. */
  terminate(): Promise<void>;
}

/**
 * Starts a thread by the package's own export, so that the source and a packed build find it in the same way. `Out` is
 * trusted: both sides are of one version.
 */
export function startThread<In, Out>(
  name: ThreadName,
  workerData: object,
  listeners: ThreadListeners<Out>,
): WorkerThread<In> {
  let worker: Worker;
  try {
    worker = createWorker(name, workerData);
  } catch (error) {
    // It throws where no further file can be opened. The listener gets it like any death, once the caller has the thread.
    setImmediate(() => listeners.onEnd(error));
    return { post: () => undefined, terminate: async () => undefined };
  }
  let death: unknown;
  worker.on("message", (message: Out) => listeners.onMessage(message));
  worker.on("error", (error) => {
    death = error;
  });
  worker.on("exit", () => listeners.onEnd(death));
  return {
    post: (message) => worker.postMessage(message),
    terminate: async () => {
      await worker.terminate();
    },
  };
}

function createWorker(name: ThreadName, workerData: object): Worker {
  return new Worker(new URL(import.meta.resolve(`@banyan/store-sqlite/${name}`)), {
    workerData,
    name: `banyan-store-${name}`,
    execArgv: [],
    resourceLimits: LIMITS[name],
    env: buildEnvironment(),
  });
}

/**
 * A thread finds the compile cache of its program by this variable alone. Without it each one compiles everything anew,
 * and from source loads a compiler first: three times the CPU and four times the memory of its start.
 */
function buildEnvironment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}
