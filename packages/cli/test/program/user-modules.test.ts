import type { ResolveFnOutput, ResolveHookContext } from "node:module";
import { describe, expect, test } from "vitest";
import { resolveUserModule } from "../../src/program/user-modules.ts";

const PROGRAM = new URL("../../src/program/user-modules.ts", import.meta.url).href;
const FOLDER = "file:///home/ada/bot/";
const CONFIG = `${FOLDER}banyan.config.ts`;
const CONTEXT: ResolveHookContext = { conditions: ["node", "import"], importAttributes: {}, parentURL: CONFIG };

function notFound(code: string): Error {
  return Object.assign(new Error("Cannot find it"), { code });
}

/** Resolves as Node would for whoever imports, where `missing` is what Node throws for the folder's own files. */
function resolve(specifier: string, missing?: Error, context: ResolveHookContext = CONTEXT): string | undefined {
  const nextResolve = (_: string, { parentURL }: Partial<ResolveHookContext> = {}): ResolveFnOutput => {
    if (parentURL === CONFIG && missing !== undefined) throw missing;
    return { url: `${specifier} from ${parentURL}` };
  };
  return resolveUserModule(specifier, context, nextResolve).url;
}

describe("what a user's file imports", () => {
  test.each(["banyan", "banyan/plugin", "@banyan/plugin-sdk", "@banyan/plugin-sdk/kit"])(
    "%s comes from the running program, also where another copy is installed",
    (specifier) => expect(resolve(specifier)).toBe(`${specifier} from ${PROGRAM}`),
  );

  test.each(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"])(
    "zod comes from its folder, and from the running program after %s",
    (code) => {
      expect(resolve("zod")).toBe(`zod from ${CONFIG}`);
      expect(resolve("zod", notFound(code))).toBe(`zod from ${PROGRAM}`);
    },
  );

  test("a zod that is installed and broken is not replaced in silence", () => {
    const broken = notFound("ERR_INVALID_PACKAGE_CONFIG");
    expect(() => resolve("zod", broken)).toThrow(broken);
  });

  test.each(["left-pad", "./line.ts", "banyan-channel-irc", "zodiac", "@banyan/core"])(
    "%s comes from its folder or from nowhere",
    (specifier) => {
      expect(resolve(specifier)).toBe(`${specifier} from ${CONFIG}`);
      const missing = notFound("ERR_MODULE_NOT_FOUND");
      expect(() => resolve(specifier, missing)).toThrow(missing);
    },
  );

  test("a path that Banyan does not have is an error that names the importer and the paths there are", () => {
    const fail = (): never => {
      throw notFound("ERR_PACKAGE_PATH_NOT_EXPORTED");
    };
    expect(() => resolveUserModule("banyan/x", CONTEXT, fail)).toThrow(
      "Cannot find 'banyan/x' imported from /home/ada/bot/banyan.config.ts: Banyan has banyan, banyan/plugin and @banyan/plugin-sdk",
    );
  });
});

describe("the format of a file", () => {
  const formatOf = (url: string, format: string | null | undefined, conditions: string[]) =>
    resolveUserModule("./file", { ...CONTEXT, conditions }, () => ({ url, format })).format;

  test.each([
    ["a .ts file below no package.json", `${FOLDER}wire.ts`, null, ["import"], "module-typescript"],
    [
      "a .ts file below the package.json of npm init",
      `${FOLDER}wire.ts`,
      "commonjs-typescript",
      ["import"],
      "module-typescript",
    ],
    ["a .ts file that is required", `${FOLDER}wire.ts`, "commonjs-typescript", ["require"], "commonjs-typescript"],
    ["a .js file", `${FOLDER}wire.js`, "commonjs", ["import"], "commonjs"],
    ["a module of Node", "node:fs", "builtin", ["import"], "builtin"],
  ])("%s", (_, url, format, conditions, expected) => {
    expect(formatOf(url, format, conditions)).toBe(expected);
  });
});
