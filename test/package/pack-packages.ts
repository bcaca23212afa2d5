import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import type { WorkspacePackage } from "../house/workspace-package.ts";
import { runPnpm } from "./pnpm.ts";

/** A package as it would be published. */
export interface Tarball {
  readonly name: string;
  readonly path: string;
}

/** Packs built packages into a folder, as `pnpm publish` would. */
export async function packPackages(packages: readonly WorkspacePackage[], target: string): Promise<readonly Tarball[]> {
  const chosen = packages.flatMap(({ name }) => ["--filter", name]);
  const { output } = await runPnpm(["-r", ...chosen, "pack", "--pack-destination", target]);
  return packages.map(({ name, manifest }) => {
    const path = join(target, `${name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`);
    if (!existsSync(path)) throw new Error(`packing ${name}: pnpm made no ${path}; it said:\n${output}`);
    return { name, path };
  });
}

/** What publint holds against a package, suggestions included; nothing when it may be published. */
export async function lintTarball({ path }: Tarball): Promise<readonly string[]> {
  const { buffer, byteOffset, byteLength } = readFileSync(path);
  const tarball = buffer.slice(byteOffset, byteOffset + byteLength);
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  return messages.map((message) => `${message.type}: ${formatMessage(message, pkg, { color: false })}`);
}
