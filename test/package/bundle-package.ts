import { isAbsolute, join, relative } from "node:path";
import { rolldown } from "rolldown";
import type { WorkspacePackage } from "../house/workspace-package.ts";

/** What finds files of its own by their places: it stays as the compiler wrote it. None is loaded by a start. */
const AS_COMPILED: ReadonlySet<string> = new Set([
  "@banyan/console",
  "@banyan/emulator-discord",
  "@banyan/emulator-model",
  "@banyan/emulator-telegram",
]);

/**
 * Joins the modules of a package: one file for each of its entries, one for what they have in common, one for each part
 * that is loaded late. A start then reads and links a few files instead of hundreds. Other packages stay imports.
 * Answers whether it did.
 */
export async function bundlePackage(
  { name, manifest }: WorkspacePackage,
  compiled: string,
  dist: string,
): Promise<boolean> {
  if (AS_COMPILED.has(name)) return false;
  const bundle = await rolldown({
    input: buildInput(manifest, compiled),
    external: (id) => !id.startsWith(".") && !isAbsolute(id),
    platform: "node",
    // Else every file names the temporary folder of this build.
    experimental: { attachDebugInfo: "none" },
  });
  try {
    await bundle.write({
      dir: dist,
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
    });
  } finally {
    await bundle.close();
  }
  return true;
}

/** Entries keep their places: `./dist/store/index.js` comes from `store/index.js`. */
function buildInput({ publishConfig }: WorkspacePackage["manifest"], compiled: string): Record<string, string> {
  const published = [
    ...Object.values(publishConfig.exports).map((targets) => targets.default),
    ...Object.values(publishConfig.bin),
  ];
  const files = published.filter((file) => file !== undefined).map((file) => relative("dist", file));
  return Object.fromEntries(files.map((file) => [file.replace(/\.js$/, ""), join(compiled, file)]));
}
