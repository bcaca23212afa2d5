import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { callControl } from "@banyan/core";
import { expect, test } from "vitest";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import { openHostileGrove } from "../stage/hostile-grove.ts";
import { MINDS, MODEL_KEY } from "../stage/hostile-model.ts";

const HOUSE = "token-of-the-house-4711";
const SERVER = "token-of-the-server-4711";
const SECRETS = [BOT_TOKEN, HOUSE, SERVER, MODEL_KEY];
/** Stands beside them and is none: what is searched holds what the model has said. */
const MARKER = "harmless-marker-4711";

function readAll(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1")).join("\n");
}

test.each(MINDS)(
  "attack 18: a model that says all it can see says no secret, and nothing keeps one, in the runtime %s",
  async (mind) => {
    const allow = ["exec", "read_file", "write_file", "message", "session_vars"];
    const { grove, orders, mallory, model } = await openHostileGrove(mind, {
      main: { workspace: "./workspace", tools: { exec: true, allow } },
      env: { TOKEN_OF_THE_HOUSE: HOUSE, SERVER_TOKEN: SERVER, MODEL_API_KEY: MODEL_KEY },
      files: { ".env": `OTHER=${MARKER}-in-the-environment`, "workspace/found.txt": `${SECRETS.join(" ")} ${MARKER}` },
      config: { log: { level: "debug" }, server: { port: 0, token: "env:SERVER_TOKEN" } },
    });
    const node = process.execPath.split("/").at(-1);
    await orders("environment");
    const [found, ...told] = await orders(
      [
        'call read_file {"path":"found.txt"}',
        'call exec {"argv":["cat","found.txt"]}',
        `call exec {"argv":["${node}","-p","JSON.stringify(process.env)"]}`,
        `call exec {"argv":["cat","${HOUSE}"]}`,
        'call read_file {"path":"../.env"}',
        'call message {"text":"look","files":["found.txt"]}',
        `call session_vars {"set":{"note":"${SERVER} ${MODEL_KEY}"}}`,
        "call session_vars",
      ].join(";"),
    );
    for (const each of [found, told[0]]) expect(each).toMatch(/failed \(permission\): .*contains a secret/);
    expect(told[1]).toMatch(/exit code 0/);
    expect(told[1]).not.toMatch(/TOKEN_OF_THE_HOUSE|API_KEY/);
    expect(told[3]).toMatch(/leads outside the workspace/);
    expect(told[4]).toMatch(/holds a secret of this gateway/);
    await orders(`call message {"text":"${SECRETS.join(" ")} ${MARKER}"};say ${SECRETS.join(" ")} ${MARKER}`);
    // A foreign agent fails with these words; the others say them.
    await mallory.says(`ORDER: complain ${HOUSE};fail 500 no way in with ${HOUSE}`);
    await mallory.hears(/no way in with \[secret]/);
    await grove.rests();
    const said = (await mallory.messages()).filter(({ author }) => author === "bot");
    const audit = await grove.read((read) => read.audit({ limit: 100 }));
    const status = await callControl(grove.stateDir, "status");
    const deliveries = await grove.deliveries();
    await grove.stop();
    const places = {
      ...{ results: model.results(), said, audit, status, deliveries, log: grove.log },
      state: readAll(grove.stateDir),
    };
    for (const [place, what] of Object.entries(places)) {
      const text = JSON.stringify(what);
      expect([place, SECRETS.filter((secret) => text.includes(secret))]).toEqual([place, []]);
      expect([place, text.includes(`${MARKER}-in-the-environment`)]).toEqual([place, false]);
    }
    for (const text of [JSON.stringify(said), JSON.stringify(deliveries), places.state]) expect(text).toContain(MARKER);
  },
);

test("attack 18: a foreign agent is given what is on the list, and no more of the gateway's environment", async () => {
  const env = {
    TOKEN_OF_THE_HOUSE: HOUSE,
    BANYAN_SERVER_TOKEN: SERVER,
    HOME: "/home/grove",
    NODE_OPTIONS: "--no-warnings",
  };
  const { mallory } = await openHostileGrove("acp", { env, config: { log: { level: "silent" } } });
  await mallory.says("ORDER: env");
  const { text } = await mallory.hears(/PATH/);
  expect(text?.split(",")).toEqual(["FOREIGN_API_KEY", "HOME", "PATH"]);
});

test("attack 18: the bearer of a foreign agent's tools is told nowhere by the agent, also in pieces, in a call and behind a restart", async () => {
  const { grove, mallory, model } = await openHostileGrove("acp", {
    main: { tools: { allow: ["message", "session_vars"] } },
    config: { log: { level: "debug" } },
  });
  await mallory.says("ORDER: bearer It is");
  const { text } = await mallory.hears(/^It is/);
  expect(text).toBe("It is Bearer [secret]");
  const [bearer = ""] = model.bearers();
  expect(bearer).toMatch(/^banyan-secret-[\w-]{43}$/);
  const tail = bearer.slice(20);
  await mallory.says(
    `ORDER: say ${MARKER};call message {"text":"${bearer}"};call session_vars {"set":{"note":"${bearer}"}};complain ${bearer};fail 500 no way in with ${bearer}`,
  );
  await mallory.hears(/no way in with \[secret]/);
  await grove.restart();
  // It is worth nothing any more, and the process that made it is gone.
  await mallory.says(`ORDER: say the old one was ${bearer}`);
  await mallory.hears("the old one was [secret]");
  await grove.rests();
  const said = (await mallory.messages()).filter(({ author }) => author === "bot");
  const places = { said, audit: await grove.read((read) => read.audit({ limit: 100 })), log: grove.log };
  await grove.stop();
  const all = { ...places, state: readAll(grove.stateDir) };
  for (const [place, what] of Object.entries(all))
    expect([place, JSON.stringify(what).includes(tail)]).toEqual([place, false]);
  expect(all.state).toContain(MARKER);
});
