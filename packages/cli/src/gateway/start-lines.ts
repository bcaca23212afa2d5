import type { OpenGateway } from "./open-gateway.ts";

const NAME_WIDTH = 11;

/** What a start says: what is on, where, and how to switch on the rest. */
export function formatStartLines(open: OpenGateway): readonly string[] {
  const { loaded, gateway, token, version, tookMs, idle } = open;
  const { config } = loaded;
  const { accounts } = gateway.health();
  return [
    `  Banyan ${version} · state ${config.stateDir} · ${config.store.driver}`,
    formatLine("●", "web chat", `${gateway.url}/?token=${token}   (open it in a browser)`),
    ...Object.entries(accounts)
      .filter(([name]) => !name.startsWith("webchat/"))
      .map(([name, { state, detail }]) => formatLine(state === "running" ? "●" : "✗", name, detail ?? state)),
    ...idle.map(({ channel, hint }) => formatLine("○", channel, `off: ${hint}`)),
    ...Object.entries(config.agents).map(([id, agent]) =>
      formatLine("●", `agent ${id}`, describeRuntime(agent.runtime)),
    ),
    `  Ready in ${(tookMs / 1000).toFixed(1)} s. Ctrl-C stops; nothing is lost.`,
  ];
}

function formatLine(mark: string, name: string, text: string): string {
  return `  ${mark} ${name.padEnd(NAME_WIDTH)} ${text}`;
}

function describeRuntime(runtime: string): string {
  return runtime === "demo" ? "demo: a built-in program, not a language model" : runtime;
}
