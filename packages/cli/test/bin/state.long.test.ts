import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openGateway } from "../../src/gateway/open-gateway.ts";
import { makeFolder, runBanyan, stateDirOf } from "./banyan-process.ts";

const KEY = "agent:main:webchat:dm:operator";

async function openHere(folder: string) {
  const env = { BANYAN_STATE_DIR: stateDirOf(folder), BANYAN_PORT: "0" };
  const open = await openGateway({ cwd: folder, env, writeLog: () => undefined });
  onTestFinished(() => open.gateway.stop());
  return open;
}

describe("without a gateway", () => {
  test("a one-shot chat prints what its sub-agents found, too", async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, "docs"));
    for (const name of ["a", "b", "c", "d", "e", "f"]) writeFileSync(join(folder, "docs", name), "some words here");
    expect(await runBanyan(folder, ["chat", "count words in docs"])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^I split docs\/ over three sub-agents\.\ndocs\/ has 18 words in 6 files;.*\n$/),
      stderr: "",
    });
  });

  test("a one-shot chat starts one for its time; the rest reads what it left", async () => {
    const folder = makeFolder();
    expect(await runBanyan(folder, ["chat", "calc", "6*7"])).toEqual({ code: 0, stdout: "6*7 = 42\n", stderr: "" });
    const layout = join(stateDirOf(folder), "agents", "main", "sessions");
    const out = join(folder, "out");
    const [status, list, show, files, lines, outbox] = await Promise.all([
      runBanyan(folder, ["status", "--json"]),
      runBanyan(folder, ["sessions", "list", "--json"]),
      runBanyan(folder, ["sessions", "show", "webchat"]),
      runBanyan(folder, ["sessions", "export", "--all", "--out", out]),
      runBanyan(folder, ["sessions", "export", KEY]),
      runBanyan(folder, ["outbox", "list", "--state", "all", "--json"]),
    ]);
    expect(JSON.parse(status.stdout)).toMatchObject({
      running: false,
      counts: { sessions: 1, unsettledDeliveries: 0 },
    });
    expect(JSON.parse(list.stdout)).toMatchObject([{ key: KEY, agentId: "main", messageCount: 2 }]);
    expect(show.stdout).toMatch(/operator: calc 6\*7\n.*assistant: 6\*7 = 42\n$/);
    const [file = ""] = readdirSync(layout);
    expect([files.code, readdirSync(out)]).toEqual([0, [file]]);
    const transcript = readFileSync(join(layout, file), "utf8");
    expect(transcript).not.toBe("");
    expect(readFileSync(join(out, file), "utf8")).toBe(transcript);
    expect(lines.stdout).toBe(transcript);
    expect(JSON.parse(outbox.stdout)).toMatchObject([{ state: "sent", text: "6*7 = 42" }]);
  });

  test("nothing stored yet is an answer where something is listed, and a failure where something is looked up", async () => {
    const folder = makeFolder();
    const [status, list, show, retry] = await Promise.all([
      runBanyan(folder, ["status"]),
      runBanyan(folder, ["sessions", "list", "--json"]),
      runBanyan(folder, ["sessions", "show", "main"]),
      runBanyan(folder, ["outbox", "retry", "9f3a"]),
    ]);
    expect([status.code, status.stdout]).toEqual([
      0,
      expect.stringMatching(/not running .*\n {2}nothing stored yet\n/),
    ]);
    expect([list.code, JSON.parse(list.stdout)]).toEqual([0, []]);
    for (const { code, stderr } of [show, retry]) {
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^banyan: .*nothing was ever stored in /)]);
    }
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("beside a running gateway", () => {
  test("chat talks with it, status asks it, the last message is in the list", async () => {
    const folder = makeFolder();
    const { gateway, token } = await openHere(folder);
    const piped = await runBanyan(folder, ["chat"], { input: "calc 1+1\n\n/new calc 2+2\n" });
    expect(piped).toEqual({
      code: 0,
      stdout: "1+1 = 2\nA new conversation begins; the old one is kept.\n2+2 = 4\n",
      stderr: "",
    });
    const [status, json, list] = await Promise.all([
      runBanyan(folder, ["status"]),
      runBanyan(folder, ["status", "--json"]),
      runBanyan(folder, ["sessions", "list"]),
    ]);
    expect(status.stdout).toMatch(
      /^ {2}up \d.* · 1 session · 0 turns running · 0 waiting\n {2}webchat\/default {2}running/,
    );
    expect(JSON.parse(json.stdout)).toMatchObject({ running: true, state: "ok", counts: { sessions: 1 } });
    expect(list.stdout).toMatch(/\n {2}agent:main:webchat:dm:operator .* (just now|\d+ s ago)\n$/);
    const asked = await fetch(`${gateway.url}/api/webchat/messages`, { headers: { authorization: `Bearer ${token}` } });
    expect(JSON.stringify(await asked.json())).toContain("1+1 = 2");
  });
});

test("what looks at the state needs no token that the configuration takes from the environment; a start does", async () => {
  const folder = makeFolder();
  const account = { token: "env:GROVE_TOKEN" };
  const config = { channels: { telegram: { accounts: { default: account } } } };
  writeFileSync(join(folder, "banyan.config.json"), JSON.stringify(config));
  const [list, status, start] = await Promise.all([
    runBanyan(folder, ["pair", "list"]),
    runBanyan(folder, ["status"]),
    runBanyan(folder, ["start"]),
  ]);
  expect([list.code, list.stderr, status.code, status.stderr]).toEqual([0, "", 0, ""]);
  expect(start).toMatchObject({ code: 1, stderr: expect.stringContaining("The variable GROVE_TOKEN is not set") });
});
