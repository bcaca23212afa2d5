import { type Clock, createSignal, createSystemClock } from "@banyan/emulator-kit";
import { ChatFaultList } from "./faults/chat-fault.ts";
import { ModelEmulator } from "./model-emulator.ts";
import { AskJournal } from "./records/ask-journal.ts";
import { type ModelScript, repeatWords } from "./script/model-script.ts";
import { ChatApi, sendJson } from "./server/chat-api.ts";
import { startHttpServer } from "./server/http-server.ts";

export interface ModelEmulatorOptions {
  /** Any free port if left out. */
  readonly port?: number;
  /** The server's time; how long a test waits for something is real time all the same. */
  readonly clock?: Clock;
  /** The key that requests must carry; any, or none, if left out. */
  readonly apiKey?: string;
  /** Default: says what it was told. */
  readonly script?: ModelScript;
  /** What `GET /models` lists. */
  readonly models?: readonly string[];
}

/** Starts a model server on loopback in this process. */
export async function createModelEmulator(options: ModelEmulatorOptions = {}): Promise<ModelEmulator> {
  const patience = createSystemClock();
  const clock = options.clock ?? patience;
  const faults = new ChatFaultList(createSignal(patience), clock);
  const journal = new AskJournal(createSignal(patience));
  const stage = { script: options.script ?? repeatWords };
  const api = new ChatApi({ faults, journal, clock, apiKey: options.apiKey, getScript: () => stage.script });
  const models = (options.models ?? ["grove-1"]).map((id) => ({ id, object: "model", owned_by: "banyan" }));
  const server = await startHttpServer(options.port ?? 0, async (request, response) => {
    const path = (request.url ?? "/").replace(/\?.*$/u, "");
    if (request.method === "POST" && path === "/v1/chat/completions") return api.answer(request, response);
    if (request.method === "GET" && path === "/v1/models") {
      // Keys are asked for there, too.
      if (api.isLetIn(request)) sendJson(response, 200, { object: "list", data: models });
      else sendJson(response, 401, { error: { message: "Incorrect API key provided", type: "invalid_request_error" } });
    } else sendJson(response, 404, { error: { message: `There is no ${path}`, type: "invalid_request_error" } });
  });
  return new ModelEmulator({ url: `${server.url}/v1`, faults, journal, stage, close: () => server.close() });
}
