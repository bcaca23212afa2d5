import { writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { callControl, callGatewayStatus } from "@banyan/core";
import { openGateway } from "banyan";
import { expect, onTestFinished, test } from "vitest";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import { makeGroveFolder, openGrove } from "../stage/grove.ts";
import { createListener } from "../stage/scripted-agent.ts";

const DEEP = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
const POISON = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}';

/** Posts to the control socket as somebody who does not keep to its rules. */
function callRaw(stateDir: string, path: string, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: join(stateDir, "control.sock"), path, method: "POST" }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    call.on("error", reject);
    call.end(body);
  });
}

test("attack 12: bombs at the control socket are refused, and the next call is answered", async () => {
  const grove = await openGrove(createListener());
  const bombs = [
    { path: "/outbox-retry", body: DEEP.slice(0, 40_000), status: 400 },
    { path: "/outbox-retry", body: `{"id":"${"x".repeat(100_000)}"}`, status: 413 },
    { path: "/outbox-retry", body: DEEP, status: 413 },
    { path: "/outbox-retry", body: POISON, status: 400 },
    { path: "/outbox-retry", body: "", status: 400 },
    { path: "/constructor", body: "{}", status: 404 },
    { path: "/__proto__", body: "{}", status: 404 },
  ];
  for (const { path, body, status } of bombs) {
    const answer = await callRaw(grove.stateDir, path, body);
    expect([path, body.slice(0, 40), answer.status]).toEqual([path, body.slice(0, 40), status]);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { message: expect.any(String) } });
  }
  expect(Reflect.get({}, "isAdmin")).toBeUndefined();
  expect(await callControl(grove.stateDir, "status")).toMatchObject({ status: "ok" });
});

test.each([
  { what: "that is deep", body: `{"ok":true,"result":${DEEP}}` },
  { what: "that poisons", body: `{"ok":true,"result":[${POISON}],"__proto__":{"isAdmin":true}}` },
  { what: "that is no JSON", body: "{".repeat(100_000) },
  { what: "that is a list of nothing", body: '{"ok":true,"result":[null,5,"x",{"update_id":"1"},{}]}' },
])(
  "attack 12: an answer of Telegram $what is told and tried again; the rest of the gateway goes on",
  async ({ body }) => {
    const told = Promise.withResolvers<void>();
    const platform = createServer((call, answer) => {
      answer.setHeader("content-type", "application/json");
      if (call.url?.endsWith("/getUpdates")) {
        answer.end(body, () => told.resolve());
        return;
      }
      answer.end('{"ok":true,"result":{"id":123456,"is_bot":true,"first_name":"Grove","username":"grove_bot"}}');
    });
    await new Promise<void>((resolve) => platform.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      platform.close();
      platform.closeAllConnections();
    });
    const { port } = addressOf(platform.address());
    const grove = await openGrove({
      ...createListener(),
      env: {
        TELEGRAM_BOT_TOKEN: BOT_TOKEN,
        TELEGRAM_API_BASE_URL: `http://127.0.0.1:${port}`,
        TELEGRAM_ALLOW_FROM: "7",
      },
    });
    await told.promise;
    await grove.web("ada").says("hello");
    await grove.web("ada").hears("heard: hello");
    expect(Reflect.get({}, "isAdmin")).toBeUndefined();
    expect((await callGatewayStatus(grove.stateDir)).status).toBe("ok");
  },
);

test.each([
  { what: "a deep one", text: `{"agents":${DEEP}}` },
  { what: "one that poisons", text: POISON },
  {
    what: "a deep setting",
    text: `{"channels":{"telegram":{"accounts":{"default":{"token":${"[".repeat(5_000)}${"]".repeat(5_000)}}}}}}`,
  },
])("attack 12: as a configuration, $what is refused with a sentence", async ({ text }) => {
  const folder = makeGroveFolder();
  writeFileSync(join(folder, "banyan.config.json"), text);
  const outcome = await openGateway({ cwd: folder, env: {}, writeLog: () => undefined }).then(
    ({ gateway }) => gateway.stop(),
    (error: unknown) => error,
  );
  expect(outcome).toMatchObject({ name: "BanyanError", code: expect.stringMatching(/^config_/) });
  expect(Reflect.get({}, "isAdmin")).toBeUndefined();
});

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === "string")
    throw new TypeError("A server was asked for its port: it has none");
  return address;
}
