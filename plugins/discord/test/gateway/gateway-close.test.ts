import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openDiscordTown, openSpeakingTown } from "../discord-town.ts";

const GATEWAY = "GET /gateway/bot";

/** Takes a WebSocket connection and says nothing. Resolves with its address and with what tells that somebody came. */
async function openSilence(): Promise<{ readonly url: string; readonly reached: Promise<void> }> {
  const reached = Promise.withResolvers<void>();
  const server = createServer().on("upgrade", (request, socket) => {
    const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash("sha1").update(key).digest("base64");
    const lines = ["HTTP/1.1 101 Switching Protocols", "upgrade: websocket", "connection: upgrade"];
    socket.write(`${[...lines, `sec-websocket-accept: ${accept}`].join("\r\n")}\r\n\r\n`);
    onTestFinished(() => void socket.destroy());
    reached.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port }: Pick<AddressInfo, "port"> = Object(server.address());
  return { url: `ws://127.0.0.1:${port}`, reached: reached.promise };
}

test("an account that waits for its turn to begin a session stops at once", async () => {
  const { discord, createAccount } = await openDiscordTown();
  await discord.setBot({ startsLeft: 0 });
  const account = createAccount();
  const connected = account.connect();
  await account.reported("retrying");
  account.passTime(10_000);
  await connected;
  await account.close();
  expect((await discord.bot()).sessions).toEqual([]);
});

test("an account that stops while the network is down does not connect behind its end", async () => {
  const { discord, account } = await openSpeakingTown();
  await discord.gateway.outage();
  await discord.gateway.drop();
  await account.clock.awaitAlarm(1_000);
  const before = (await discord.record({ route: GATEWAY })).length;
  const closed = account.close();
  await discord.gateway.outage(false);
  await closed;
  await expect(discord.gateway.connected({ timeoutMs: 300 })).rejects.toThrow("it did not");
  expect(await discord.record({ route: GATEWAY })).toHaveLength(before);
});

test("a gateway that says nothing does not keep an account from stopping", async () => {
  const { discord, createAccount } = await openDiscordTown();
  const { url, reached } = await openSilence();
  const limit = { total: 1_000, remaining: 1_000, reset_after: 0, max_concurrency: 1 };
  const body = { url, shards: 1, session_start_limit: limit };
  await discord.faults.add({ kind: "status", route: GATEWAY, status: 200, body, times: "always" });
  const account = createAccount();
  const connected = account.connect();
  await reached;
  account.passTime(10_000);
  await connected;
  const closed = account.close();
  await account.clock.awaitAlarm(2_000);
  account.passTime(2_000);
  await closed;
});

test("a budget of sessions that cannot be read once is asked for again, and one session is begun", async () => {
  const { discord, inGeneral, createAccount } = await openDiscordTown();
  await discord.faults.add({ kind: "status", route: GATEWAY, status: 500, skip: 1 });
  const account = createAccount();
  const connected = account.connect();
  await account.reported("retrying");
  await account.clock.awaitAlarm(1_000);
  account.passTime(1_000);
  await connected;
  await inGeneral.says("one");
  expect(await account.receives(1)).toEqual(["one"]);
  await expect(discord.gateway.disconnected({ timeoutMs: 700 })).rejects.toThrow("it did not");
  expect((await discord.bot()).sessions).toHaveLength(1);
});
