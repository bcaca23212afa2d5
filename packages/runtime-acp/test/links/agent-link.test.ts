import type { Stream } from "@agentclientprotocol/sdk";
import { expect, it, onTestFinished } from "vitest";
import { AgentLink } from "../../src/links/agent-link.ts";

const RESOURCE_NOT_FOUND = -32_002;

/** An agent that tells what a session has cost, and then does not know it. */
function openForgetful(): AgentLink {
  const toClient = new TransformStream();
  const said = toClient.writable.getWriter();
  const writable: Stream["writable"] = new WritableStream({
    async write(message) {
      if (!("method" in message && "id" in message)) return;
      const update = { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 3, currency: "USD" } };
      await said.write({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
      await said.write({ jsonrpc: "2.0", id: message.id, error: { code: RESOURCE_NOT_FOUND, message: "not here" } });
    },
  });
  const link = new AgentLink({ readable: toClient.readable, writable }, () => undefined);
  onTestFinished(() => link.close());
  return link;
}

it.each(["load", "resume"] as const)("keeps nothing of a session that could not be taken up by %s", async (way) => {
  const link = openForgetful();
  expect(await link.takeUp("s", { cwd: "/", servers: [], meta: undefined }, way)).toBeUndefined();
  expect(link.findToldUsd("s")).toBeUndefined();
});
