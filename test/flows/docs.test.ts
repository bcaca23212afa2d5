import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openGateway } from "banyan";
import { expect, onTestFinished, test } from "vitest";
import { listFiles, REPOSITORY } from "../house/repository.ts";

/** A complete configuration is marked by this comment in the line before its fence. */
const EXAMPLE = /<!-- config -->\n```(json|ts)\n([\s\S]*?)\n```/g;
const VARIABLE = /env:(\w+)/g;
/** Every platform is out of reach. */
const NO_PLATFORM = { TELEGRAM_API_BASE_URL: "http://127.0.0.1:9", DISCORD_API_URL: "http://127.0.0.1:9" };
/** Shaped as a bot's token, which also passes for any other secret. */
const SECRET = "100001:abc-DEF_ghi";
const FEWEST = 12;

const pages = listFiles("docs").filter((path) => path.endsWith(".md"));
const examples = pages.flatMap((path) =>
  [...readPage(path).matchAll(EXAMPLE)].map(([, language = "", text = ""], at) => ({
    name: `${path} (${at + 1})`,
    language,
    text,
  })),
);

test(`the pages have at least ${FEWEST} complete configurations, and no mark without one`, () => {
  expect(examples.length).toBeGreaterThanOrEqual(FEWEST);
  const marks = pages.reduce((sum, path) => sum + readPage(path).split("<!-- config -->").length - 1, 0);
  expect(marks).toBe(examples.length);
});

test.each(examples)("a gateway opens with the configuration of $name", async ({ language, text }) => {
  const folder = mkdtempSync(join(tmpdir(), "banyan-docs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(REPOSITORY, "test/node_modules"), join(folder, "node_modules"));
  for (const name of ["docs", "workspace"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, `banyan.config.${language}`), text);
  const variables = [...text.matchAll(VARIABLE)].map(([, name = ""]) => [name, SECRET]);
  const env = { ...Object.fromEntries(variables), ...NO_PLATFORM, BANYAN_PORT: "0", BANYAN_LOG_LEVEL: "silent" };
  const { gateway, loaded } = await openGateway({ cwd: folder, env });
  onTestFinished(() => gateway.stop());
  expect(loaded.file).toBe(join(folder, `banyan.config.${language}`));
  const named = Object.entries(loaded.config.channels).flatMap(([channel, { accounts }]) =>
    Object.keys(accounts).map((account) => `${channel}/${account}`),
  );
  expect(Object.keys(gateway.health().accounts)).toEqual(expect.arrayContaining(["webchat/default", ...named]));
});

function readPage(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8");
}
