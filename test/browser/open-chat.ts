import webchat from "@banyan/channel-webchat";
import { buildConsolePages, createRunsApi } from "@banyan/console";
import { createPorts, Gateway, type GatewayOptions, parseIdentityLinks } from "@banyan/core";
import { createScriptedRuntime, type Script } from "@banyan/runtime-demo";
import type { Store } from "@banyan/store";
import { createInlineStore, type InlineDatabase, openInlineDatabase } from "@banyan/store-sqlite/inline";

const TOKEN = "a-token-of-the-browser-test";
const quiet = (): void => undefined;

/** A gateway with the web chat and the page. */
export interface OpenChat {
  /** The address that a person opens, with the token. */
  readonly url: string;
  /** The same without it. */
  readonly bareUrl: string;
  /** Where a test may write beside the gateway. */
  readonly store: Store;
  /** Asks the API as a script does. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The server is gone; what was stored stays. */
  stop(): Promise<void>;
  /** It is there again, at the same address. */
  restart(): Promise<void>;
}

export async function openChat(script: Script): Promise<OpenChat> {
  const data = openInlineDatabase();
  const store = createInlineStore({ data });
  let gateway = await startGateway(script, data, 0);
  const bareUrl = gateway.url;
  return {
    url: `${bareUrl}/?token=${TOKEN}`,
    bareUrl,
    store,
    fetch: (path, init) => fetch(bareUrl + path, { ...init, headers: { authorization: `Bearer ${TOKEN}` } }),
    stop: () => gateway.stop(),
    async restart() {
      gateway = await startGateway(script, data, Number(new URL(bareUrl).port));
    },
  };
}

async function startGateway(script: Script, data: InlineDatabase, port: number): Promise<Gateway> {
  const access = {
    dmPolicy: "open",
    allowFrom: new Set<string>(),
    groups: { policy: "disabled", allow: new Set<string>(), guilds: new Set<string>(), requireMention: true },
    catchUpMs: 0,
    isOperatorOnly: true,
  } as const;
  const store = createInlineStore({ data });
  const routes = { routes: [], defaultAgent: "main", scope: "per-sender", dmScope: "main" } as const;
  const identityLinks = parseIdentityLinks({});
  const options: GatewayOptions = {
    store,
    ports: createPorts({ log: { debug: quiet, info: quiet, warn: quiet, error: console.error } }),
    agents: { main: { runtime: "scripted", workspace: "/nowhere", tools: { deny: [] } } },
    routes,
    identityLinks,
    channels: [{ plugin: webchat, accounts: [{ name: "default", config: {}, access }] }],
    runtimes: { scripted: async () => createScriptedRuntime(script) },
    server: { host: "127.0.0.1", port, token: TOKEN },
    version: "0.0.0",
    mountPages(server) {
      for (const page of buildConsolePages()) server.mount(page.path, (request) => page.serve(request), "open");
      const runs = createRunsApi({
        read: store.read,
        routes,
        identityLinks,
        findLiveNote: (run) => gateway.findLiveNote(run),
        now: () => Date.now(),
      });
      server.mount("/api/runs", runs, "operator");
    },
  };
  const gateway: Gateway = new Gateway(options);
  await gateway.start();
  return gateway;
}
