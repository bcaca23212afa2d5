import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

/** `.ts` where Banyan runs from its sources, `.js` where it was built: the page's files have the ending this one has. */
export const PAGE_SCRIPT_ENDING: string = extname(fileURLToPath(import.meta.url));

/** Beside this file in the sources and in the build alike. */
const FOLDER = new URL("./page/", import.meta.url);

/**
 * Node's stripper of types is at its first release and says so on stderr, which is no news to who starts Banyan. In a
 * worker the notice can be left out, and a moment's work is off the main thread.
 */
const STRIP_WORKER = `
const { parentPort, workerData } = require("node:worker_threads");
const { stripTypeScriptTypes } = require("node:module");
parentPort.postMessage(workerData.map((source) => stripTypeScriptTypes(source)));
`;

/** The page's scripts as a browser runs them, by file name. */
export async function readPageScripts(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(FOLDER)).filter(
    (name) => extname(name) === PAGE_SCRIPT_ENDING && !name.endsWith(".d.ts"),
  );
  const sources = await Promise.all(names.map((name) => readFile(new URL(name, FOLDER), "utf8")));
  const scripts = PAGE_SCRIPT_ENDING === ".ts" ? await stripTypes(sources) : sources;
  return new Map(names.map((name, index) => [name, scripts[index] ?? ""]));
}

function stripTypes(sources: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const execArgv = ["--disable-warning=ExperimentalWarning"];
    const worker = new Worker(STRIP_WORKER, { eval: true, execArgv, workerData: sources });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
