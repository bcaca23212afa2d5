import { expect, test } from "vitest";
import { ChannelError } from "../../src/channel/channel-error.ts";
import { createAccountHealth } from "../../src/kit/account-health.ts";

function openHealth() {
  const reports: string[] = [];
  const logged: string[] = [];
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: (_: object, text: string) => void logged.push(text), error: quiet };
  const health = createAccountHealth((state, error) => {
    reports.push(error === undefined ? state : `${state}: ${error.message}`);
  }, log);
  return { health, reports, logged };
}

test("what there is to know about an account is shown until it is taken back, also after trouble that is over", () => {
  const { health, reports, logged } = openHealth();
  const takeBack = health.note("one");
  health.note("two");
  health.retry(new ChannelError("definite", "no network"));
  health.recover();
  takeBack();
  takeBack();
  const shown = ["running: one", "running: one; two", "retrying: no network", "running: one; two", "running: two"];
  expect([reports, logged]).toEqual([shown, ["one", "two"]]);
});

test("what is taken back during trouble is shown no more after it", () => {
  const { health, reports } = openHealth();
  const takeBack = health.note("one");
  health.retry(new ChannelError("definite", "no network"));
  takeBack();
  health.recover();
  expect(reports).toEqual(["running: one", "retrying: no network", "running"]);
});

test("a note during trouble does not hide it, and is shown after it", () => {
  const { health, reports, logged } = openHealth();
  health.retry(new ChannelError("definite", "no network"));
  health.note("one");
  health.recover();
  expect([reports, logged]).toEqual([["retrying: no network", "running: one"], ["one"]]);
});
