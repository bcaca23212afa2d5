import type { ConsolePage, RunsApiParts } from "@banyan/console";
import type { GatewayOptions } from "@banyan/core";

/** Where the console's pages stand; the package itself is imported with the first look at one. */
const CONSOLE_PATHS: readonly string[] = ["/", "/assets"];
/** Where its page asks for sub-agents. */
const RUNS_PATH = "/api/runs";

/** Serves the page in the browser. It is open, as it holds no secret: what it calls asks for the token. */
export function mountConsole(runs: RunsApiParts): NonNullable<GatewayOptions["mountPages"]> {
  return (server) => {
    let pages: Promise<readonly ConsolePage[]> | undefined;
    for (const path of CONSOLE_PATHS) {
      const serve = async (request: Request) => {
        pages ??= import("@banyan/console").then(({ buildConsolePages }) => buildConsolePages());
        const page = (await pages).find((found) => found.path === path);
        return page?.serve(request) ?? new Response("There is no such page", { status: 404 });
      };
      server.mount(path, serve, "open");
    }
    let api: Promise<(request: Request) => Promise<Response>> | undefined;
    const serveRuns = async (request: Request) => {
      api ??= import("@banyan/console").then(({ createRunsApi }) => createRunsApi(runs));
      return (await api)(request);
    };
    server.mount(RUNS_PATH, serveRuns, "operator");
  };
}
