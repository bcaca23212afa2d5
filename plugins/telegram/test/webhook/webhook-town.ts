import { createServer, type IncomingMessage } from "node:http";
import {
  createTelegramEmulator,
  type TelegramEmulator,
  type TelegramUser,
  type TelegramWebhook,
} from "@banyan/emulator-telegram";
import { STARTED_AT } from "@banyan/plugin-sdk/kit";
import { onTestFinished } from "vitest";
import { TestAccount, type TestAccountOptions, TOKEN } from "../test-account.ts";

export const PATH = "/telegram/default/webhook";
/** The emulator's first update. */
export const FIRST_ID = 100_000_000;

/** Of an account that has stored everything before the first update. */
const KNOWN_CURSOR = `0 ${STARTED_AT} 0 ${FIRST_ID} -`;

export interface WebhookTown {
  readonly telegram: TelegramEmulator;
  readonly webhook: TelegramWebhook;
  readonly ada: TelegramUser;
  /** Where the gateway is reached. */
  readonly url: string;
  createAccount(options?: TestAccountOptions): TestAccount;
  /** An account that has its webhook set. */
  connect(options?: TestAccountOptions): Promise<TestAccount>;
}

/** Telegram that posts, and the server of a gateway as far as that goes. Ends with the test. */
export async function openWebhookTown(): Promise<WebhookTown> {
  const telegram = await createTelegramEmulator({ local: true, random: () => 0 });
  await telegram.addBot({ token: TOKEN, username: "grove_bot" });
  const ada = await telegram.user({ id: 42, firstName: "Ada" });
  const accounts: TestAccount[] = [];
  const server = createServer((request, response) => {
    void serve(accounts.at(-1), request).then(async (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  onTestFinished(async () => {
    for (const account of accounts) await account.close();
    await telegram.close();
    server.closeAllConnections();
    server.close();
  });
  function createAccount(options: TestAccountOptions = {}): TestAccount {
    const config = { updates: "webhook", webhookUrl: url, ...options.config } as const;
    const account = new TestAccount(telegram, { cursor: KNOWN_CURSOR, ...options, config });
    accounts.push(account);
    return account;
  }
  return {
    telegram,
    webhook: telegram.webhook(),
    ada,
    url,
    createAccount,
    async connect(options) {
      const account = createAccount(options);
      await account.connect();
      await account.says(/posts this bot's messages to/);
      return account;
    },
  };
}

async function serve(account: TestAccount | undefined, request: IncomingMessage): Promise<Response> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const handler = account?.served.get(request.url ?? "");
  if (handler === undefined) return new Response(null, { status: 404 });
  const headers = {
    "x-telegram-bot-api-secret-token": String(request.headers["x-telegram-bot-api-secret-token"] ?? ""),
  };
  const method = request.method ?? "GET";
  const body = method === "POST" ? { body: Buffer.concat(chunks) } : {};
  return handler(new Request(`http://127.0.0.1${PATH}`, { method, headers, ...body }));
}
