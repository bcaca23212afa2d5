import { createTelegramEmulator, type TelegramEmulator, type TelegramUser } from "@banyan/emulator-telegram";
import { onTestFinished } from "vitest";
import { TestAccount, type TestAccountOptions, TOKEN } from "./test-account.ts";

/** Telegram with one bot and Ada, who writes to it. All of it ends with the test. */
export interface TelegramTown {
  readonly telegram: TelegramEmulator;
  readonly ada: TelegramUser;
  createAccount(options?: TestAccountOptions): TestAccount;
}

export async function openTelegramTown(): Promise<TelegramTown> {
  const telegram = await createTelegramEmulator();
  await telegram.addBot({ token: TOKEN, username: "grove_bot" });
  const ada = await telegram.user({ id: 42, firstName: "Ada" });
  const accounts: TestAccount[] = [];
  onTestFinished(async () => {
    for (const account of accounts) await account.close();
    await telegram.close();
  });
  return {
    telegram,
    ada,
    createAccount(options) {
      const account = new TestAccount(telegram, options);
      accounts.push(account);
      return account;
    },
  };
}
