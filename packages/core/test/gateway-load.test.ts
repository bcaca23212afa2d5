import { expect, it } from "vitest";
import { Gateway, type GatewayOptions } from "../src/index.ts";
import { parseIdentityLinks } from "../src/sessions/keys/identity-links.ts";
import { openTestStore } from "./open-test-store.ts";
import { createTestPorts } from "./ports/test-ports.ts";

it("a gateway under a server of the embedding program opens none itself, and holds nothing when it is at rest", async () => {
  const ports = createTestPorts();
  const identityLinks = parseIdentityLinks({});
  let closed = 0;
  const openServer: NonNullable<GatewayOptions["openServer"]> = async ({ health }) => {
    expect(health().status).toBe("starting");
    const close = async () => {
      closed += 1;
    };
    return { port: 0, url: "http://embedding.example", mount: () => () => undefined, close };
  };
  const gateway = new Gateway({
    store: openTestStore({ clock: ports.clock }),
    ports,
    agents: {},
    routes: { routes: [], defaultAgent: "main", scope: "per-sender", dmScope: "per-channel-peer" },
    identityLinks,
    channels: [],
    runtimes: {},
    server: { host: "127.0.0.1", port: 0, token: "a-token-of-the-gateway-test" },
    openServer,
    version: "0",
  });
  await gateway.start();
  expect(gateway.url).toBe("http://embedding.example");
  expect(gateway.load).toEqual({ turns: 0, lanes: 0, commands: 0, chats: 0 });
  await gateway.stop();
  expect(closed).toBe(1);
});
