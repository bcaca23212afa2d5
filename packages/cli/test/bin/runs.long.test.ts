import { openSqliteStore } from "@banyan/store-sqlite";
import { describe, expect, test } from "vitest";
import { ADA, childKey, RunDesk } from "../state/run-desk.ts";
import { makeFolder, runBanyan, spawnBanyan, stateDirOf } from "./banyan-process.ts";

async function makeState() {
  const folder = makeFolder();
  const store = await openSqliteStore({ stateDir: stateDirOf(folder) });
  const desk = new RunDesk(store);
  await desk.open();
  await desk.spawns("9f3a1111", { label: "words 1/2" });
  await desk.begins("9f3a1111");
  await desk.spawns("5b5b2222", { label: "words 2/2", from: childKey("9f3a1111"), parentRunId: "9f3a1111" });
  await desk.ends("5b5b2222", "4,210 words", { label: "words 2/2" });
  return { folder, store, desk };
}

describe("beside whoever writes them", () => {
  test("runs are listed, shown and drawn; the messages about them are called by their names", async () => {
    const { folder, store } = await makeState();
    const [list, show, tree, outbox, sessions] = await Promise.all([
      runBanyan(folder, ["runs", "list", "--session", ADA, "--json"]),
      runBanyan(folder, ["runs", "show", "words 2/2"]),
      runBanyan(folder, ["runs", "tree", "irc:dm:ada"]),
      runBanyan(folder, ["outbox", "list"]),
      runBanyan(folder, ["sessions", "list"]),
    ]);
    await store.close();
    expect(JSON.parse(list.stdout)).toMatchObject([{ runId: "9f3a1111", status: "running" }]);
    expect(show.stdout).toMatch(/delivery +completion-5b5b2222\.0 pending, to irc dm ada\n(?:.*\n)*.*4,210 words\n$/);
    expect(tree.stdout).toMatch(
      /^ {2}agent:main:irc:dm:ada\n {2}└ words 1\/2 {5}running {3}.* s\n {4}└ words 2\/2 {3}done {6}0\.3 s {3}4,210 words\n$/,
    );
    expect(outbox.stdout).toContain("completion “words 2/2”");
    expect(sessions.stdout).toMatch(/SUB-AGENT OF\n(?:.*\n)*.*subagent:5b5b2222 .*agent:main:subagent:9f3a1111\n/);
  });

  test("a watched tree tells each change in a line, and ends with the last", async () => {
    const { folder, store, desk } = await makeState();
    const watched = spawnBanyan(folder, ["runs", "tree", "--watch"]);
    await watched.prints(/words 1\/2 {2}running/);
    await desk.ends("9f3a1111", "12,874 words");
    const { code, stdout } = await watched.ended;
    await store.close();
    expect([code, stdout.trimEnd().split("\n").at(-1)]).toEqual([
      0,
      "  9f3a1111  words 1/2  done  0.3 s  12,874 words",
    ]);
  });

  test("Ctrl-C ends the watching", async () => {
    const { folder, store } = await makeState();
    const watched = spawnBanyan(folder, ["runs", "tree", "9f3a", "--watch", "--json"]);
    await watched.prints(/"words 1\/2"/);
    watched.kill("SIGINT");
    expect((await watched.ended).code).toBe(0);
    await store.close();
  });
});

describe("without a gateway", () => {
  test("no run is stopped, and it is said what will be", async () => {
    const { folder, store } = await makeState();
    await store.close();
    const [live, ended] = await Promise.all([
      runBanyan(folder, ["runs", "kill", "9f3a"]),
      runBanyan(folder, ["runs", "kill", "5b5b"]),
    ]);
    expect(live).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /stopping "words 1\/2": no gateway runs on .* banyan runs kill 9f3a1111 ends it\n$/,
      ),
    });
    expect(ended).toMatchObject({ code: 0, stdout: "  words 2/2 had ended before: done\n" });
  });

  test("nothing stored yet is an answer where something is listed, and a failure where something is looked up", async () => {
    const folder = makeFolder();
    const [list, tree, show] = await Promise.all([
      runBanyan(folder, ["runs", "list", "--json"]),
      runBanyan(folder, ["runs", "tree", "--watch"]),
      runBanyan(folder, ["runs", "show", "9f3a"]),
    ]);
    expect([list.code, JSON.parse(list.stdout)]).toEqual([0, []]);
    expect([tree.code, tree.stdout]).toEqual([0, "  nothing is at work; banyan runs list shows what was\n"]);
    expect(show).toMatchObject({ code: 1, stderr: expect.stringContaining("nothing was ever stored in ") });
  });
});

test("states and names are completed and checked", async () => {
  const folder = makeFolder();
  const [wrong, help] = await Promise.all([
    runBanyan(folder, ["runs", "list", "--state", "busy"]),
    runBanyan(folder, ["runs", "--help"]),
  ]);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("unfinished") });
  for (const command of ["list", "show", "tree", "kill"]) expect(help.stdout).toContain(`${command} `);
});
