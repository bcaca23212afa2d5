import { parentPort, workerData } from "node:worker_threads";
import { openReadOnly } from "../database/open-database.ts";
import { checkFile } from "../keeper/quick-check.ts";
import { loadFaultPoint } from "../worker/fault-point-module.ts";
import { Projector } from "./projector.ts";
import type { FromProjector, ProjectorOptions, ToProjector } from "./projector-message.ts";

/** The thread that keeps the readable layout; it never writes the database. */
async function serve(options: ProjectorOptions): Promise<void> {
  const module = await loadFaultPoint(options.faultPointModule);
  const database = openReadOnly(options.stateDir);
  const folderNames = new Map<string, (folder: string) => void>();
  const projector = new Projector({
    database,
    targetDir: options.targetDir,
    nameOf: (agentId) => (options.asksAgentFolders ? askName(agentId) : Promise.resolve(agentId)),
    ...(module === undefined ? {} : { faultPoint: module.faultPoint }),
    warn: (fields, message) => send({ type: "warning", fields, message }),
  });
  let last: Promise<void> = Promise.resolve();

  function askName(agentId: string): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    folderNames.set(agentId, resolve);
    send({ type: "agent_folder", agentId });
    return promise;
  }

  parentPort?.on("message", (message: ToProjector) => {
    switch (message.type) {
      case "project":
        last = last.then(async () => {
          const againInMs = await projector.project(message.agents, message.isFinal, message.nowMs);
          send({ type: "projected", againInMs });
        });
        break;
      case "check":
        last = last.then(() => send(checkFile(options.stateDir)));
        break;
      case "agent_folder":
        folderNames.get(message.agentId)?.(message.folder);
        folderNames.delete(message.agentId);
        break;
      case "close":
        last = last.then(() => {
          database.close();
          parentPort?.close();
        });
        break;
    }
  });
}

function send(message: FromProjector): void {
  parentPort?.postMessage(message);
}

const options: ProjectorOptions = workerData;
await serve(options);
