import { expect, it } from "vitest";
import { isAccountId, normalizeAccountId } from "../../../src/sessions/keys/account-id.ts";
import { codeOf, MESSAGE_FORM, messageOf } from "./coded-failure.ts";

it.each([
  [undefined, "default"],
  [null, "default"],
  ["  ", "default"],
  ["DEFAULT", "default"],
  ["My Bot", "my-bot"],
  ["a.b@c", "a-b-c"],
])("reads the account %j as %j", (accountId, account) => {
  expect(normalizeAccountId(accountId)).toBe(account);
  expect(isAccountId(account)).toBe(true);
});

it.each(["__proto__", "prototype", "constructor", " Constructor ", "!constructor", "__PROTO__"])(
  "refuses %j, which reaches an object's prototype",
  (accountId) => {
    expect(codeOf(() => normalizeAccountId(accountId))).toBe("invalid_account_id");
  },
);

it.each(["dm", "Thread", "group!", "_person", "日本", ".."])("refuses the account %j", (accountId) => {
  expect(codeOf(() => normalizeAccountId(accountId))).toBe("invalid_account_id");
  expect(messageOf(() => normalizeAccountId(accountId))).toMatch(MESSAGE_FORM);
});

it.each(["dm", "constructor", "My", ""])("knows that %j is no account id in a key", (text) => {
  expect(isAccountId(text)).toBe(false);
});
