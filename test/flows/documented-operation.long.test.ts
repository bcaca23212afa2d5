/** Commands of the documents that look at a gateway or operate it, run as they are written. */
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openShell } from "../stage/document-shell.ts";
import { openGrove } from "../stage/grove.ts";
import { openTelegram } from "../stage/telegram-town.ts";

const CODE = /Your code is ([0-9A-Z]{4}-[0-9A-Z]{4})/;
const CONFIG = { agents: { main: { runtime: "demo", default: true }, coding: { runtime: "demo" } } };
const DOCS = Object.fromEntries(["oak", "elm", "fir"].map((name) => [`docs/${name}.md`, `# ${name}\n\nA tree.\n`]));

/** A gateway that runs, with the operator in the web chat, Carl, who may write, and Ada, whom it does not know. */
async function openTown() {
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ env, config: CONFIG, files: DOCS });
  const shell = openShell(env, grove.folder);
  const ada = await telegram.user({ id: 7_550_356_539, firstName: "Ada" });
  const carl = await telegram.user({ id: 7, firstName: "Carl" });
  return { telegram, grove, shell, ada, carl, operator: grove.web("operator") };
}

type Person = Awaited<ReturnType<typeof openTown>>["ada"];

async function readCode(person: Person): Promise<string> {
  await person.says("hello?");
  await person.hears(CODE);
  return CODE.exec((await person.messages()).at(-1)?.text ?? "")?.[1] ?? "";
}

test("its state is shown", async () => {
  const { shell, operator } = await openTown();
  await operator.says("calc 2+3");
  await operator.hears("2+3 = 5");
  expect(await shell.runs("banyan status")).toMatch(/telegram\/default +running/);
  expect(JSON.parse(await shell.runs("banyan status --json | jq .running"))).toMatchObject({ running: true });
  expect(await shell.runs("banyan doctor")).toContain("telegram/default");
  expect(await shell.runs("banyan doctor --values")).toContain("coding");
  await shell.runs("banyan audit");
  for (const command of [
    "banyan audit --refused",
    "banyan audit --refused --limit 1000",
    "banyan audit --agent main --refused",
    "banyan audit --tool exec --json | jq '.[].detail.args'",
  ])
    await shell.runs(command);
});

test("strangers are let in and turned away, and accounts are linked", async () => {
  const { shell, ada, operator, telegram, carl } = await openTown();
  const code = await readCode(ada);
  expect(await shell.runs("banyan pair list")).toContain(code);
  await shell.runs("banyan pair deny 7KQ2-MXPA", { "7KQ2-MXPA": code });
  await shell.runs("banyan pair approve telegram/default/7550356539");
  expect(await shell.runs("banyan pair list --state approved")).toContain("7550356539");
  await shell.runs("banyan pair deny telegram/default/7550356539");
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  await shell.runs("banyan pair approve 7KQ2-MXPA", { "7KQ2-MXPA": await readCode(bob) });

  await shell.runs("banyan link add --name ada telegram:7550356539 webchat:operator");
  expect(await shell.runs("banyan link list")).toContain("ada");
  await operator.says("calc 1+1");
  await operator.hears("1+1 = 2");
  await shell.runs("banyan sessions rekey agent:main:dm:ada agent:main:dm:ada-before");
  await shell.runs("banyan link remove telegram:7550356539");
  await shell.runs("banyan link add --name alice telegram:7550356539 webchat:operator");
  await operator.says("calc 2+2");
  await operator.hears("2+2 = 4");
  await shell.runs("banyan sessions rekey agent:main:dm:alice agent:main:dm:alice-before");
  await carl.says("calc 3+3");
  await carl.hears("3+3 = 6");
  await shell.runs("banyan link add telegram:7 webchat:operator");
  await shell.runs("banyan sessions rekey agent:main:telegram:dm:7 agent:main:dm:alice");
  await shell.runs("banyan sessions delete agent:main:dm:alice --yes");
});

test("sessions and runs are shown", async () => {
  const { shell, grove, ada, operator } = await openTown();
  await shell.runs("banyan pair approve 7KQ2-MXPA", { "7KQ2-MXPA": await readCode(ada) });
  await ada.says("calc 2+3");
  await ada.hears("2+3 = 5");
  await operator.says("count words in docs");
  await operator.hears(/12 words in 3 files/);
  for (const command of ["banyan sessions list", "banyan sessions list --json | jq '.[].key'"])
    expect(await shell.runs(command)).toContain("telegram:dm:7550356539");
  await shell.runs("banyan sessions list --agent coding");
  await shell.runs("banyan sessions show agent:main:webchat:dm:operator");
  expect(await shell.runs("banyan sessions show telegram:dm:75")).toContain("2+3 = 5");
  const [session] = await grove.read((read) => read.sessions({ limit: 1 }));
  await shell.runs("banyan sessions show 5f0c", { "5f0c": session?.sessionId.slice(0, 8) ?? "" });
  expect(await shell.runs("banyan sessions export webchat:dm:operator | jq .role")).toContain('"role"');
  await shell.runs("banyan sessions export --all --out backup");
  expect(existsSync(join(shell.folder, "backup"))).toBe(true);

  expect(await shell.runs("banyan runs show 'words 1/3'")).toContain("words 1/3");
  await shell.runs("banyan runs show last");
  await shell.runs("banyan runs list --session telegram:dm:75");
  await operator.says("/spawn --label nap slow 600");
  const { text } = await operator.hears(/nap.* is at work/);
  const id = { "9f3a": /`(\w+)`/.exec(text)?.[1] ?? "" };
  expect(await shell.runs("banyan runs list --state unfinished")).toContain("nap");
  expect(await shell.runs("banyan runs tree webchat:dm:operator")).toContain("nap");
  await shell.runsUntil(/nap/, "banyan runs tree --watch");
  await shell.runsUntil(/nap/, "npx -y pnpm@12 banyan runs tree --watch");
  await shell.runsUntil(/nap/, "banyan runs tree 9f3a --watch", id);
  expect(await shell.runs("banyan runs show 9f3a", id)).toContain("nap");
  await shell.runs("banyan runs kill 9f3a", id);
  await operator.hears(/nap\*\* · stopped after/);
});

test("messages that did not arrive are sent again, or given up", async () => {
  const { shell, grove, carl, telegram } = await openTown();
  await carl.says("calc 1+1");
  await carl.hears("1+1 = 2");
  const loseOne = async (text: string) => {
    const gate = await telegram.faults.hold({ method: "sendMessage", times: 1 });
    await carl.says(text);
    await gate.reached();
    await carl.blocks();
    await gate.release();
    const rows = () => grove.read((read) => read.deliveries({ states: ["undeliverable"], limit: 9 }));
    const row = await grove.until("the refusal", async () => (await rows())[0]);
    await carl.unblocks();
    return { "9f3a": row.id.slice(0, 8) };
  };
  const first = await loseOne("calc 2+2");
  await shell.runs("banyan outbox list");
  expect(await shell.runs("banyan outbox list --state undeliverable --channel telegram")).toContain(
    first["9f3a"].slice(0, 4),
  );
  await shell.runs("banyan outbox retry --all");
  await shell.runs("banyan outbox retry 9f3a", first);
  await carl.hears("2+2 = 4");
  await loseOne("calc 3+3");
  await shell.runs("banyan outbox retry --all --state undeliverable");
  await carl.hears("3+3 = 6");
  await shell.runs("banyan outbox drop 9f3a", await loseOne("calc 4+4"));
});

test("a backup takes the place of the database", async () => {
  const { shell, grove, operator } = await openTown();
  await operator.says("calc 2+3");
  await operator.hears("2+3 = 5");
  const name = await grove.until(
    "a backup",
    async () => /\bbanyan-\S+\.db\b/.exec(await shell.runs("banyan backup list"))?.[0],
  );
  expect(await shell.runs("banyan backup list --json | jq -r '.[0].name'")).toContain(name);
  await grove.stop();
  await shell.runs("banyan restore");
  await shell.runs("banyan restore banyan-2026-11-22T18-00-00.000Z.db", { "banyan-2026-11-22T18-00-00.000Z.db": name });
  await shell.runs("banyan restore banyan-2026-11-28T16-04-09.451Z.db", { "banyan-2026-11-28T16-04-09.451Z.db": name });
  const copies = join(shell.folder, "copies");
  mkdirSync(copies);
  copyFileSync(join(grove.stateDir, "backups", name), join(copies, "banyan.db"));
  await shell.runs("banyan restore /mnt/copies/banyan.db", { "/mnt/copies": copies });
});
