import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { basename, join } from "node:path";
import { z } from "zod";
import { runCommand } from "../house/command.ts";
import { REPOSITORY } from "../house/repository.ts";
import type { Tarball } from "./pack-packages.ts";

const manifestSchema = z.looseObject({ name: z.string(), version: z.string() });
const addressSchema = z.object({ port: z.number() });

/** One version of a package: what its package.json says, and how its tarball is read. */
interface Release {
  readonly manifest: z.infer<typeof manifestSchema>;
  readonly readTarball: () => Promise<Buffer>;
}

/** A package registry on loopback. */
export interface LoopbackRegistry {
  readonly url: string;
  close(): void;
}

/**
 * Serves our packages from their tarballs and all others from the workspace's install, so that plain npm installs the
 * same versions without a network. `folder` is where it may keep files.
 */
export async function openLoopbackRegistry(tarballs: readonly Tarball[], folder: string): Promise<LoopbackRegistry> {
  mkdirSync(folder);
  const releases = [...(await readOurReleases(tarballs)), ...listInstalledReleases(folder)];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const [, place] = /^tarballs\/(\d+)\.tgz$/.exec(path) ?? [];
    if (place !== undefined) return void sendTarball(response, releases[Number(place)]);
    sendPackage(response, path, releases, `http://${request.headers.host}/tarballs`);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = addressSchema.parse(server.address());
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() };
}

async function sendTarball(response: ServerResponse, release: Release | undefined): Promise<void> {
  try {
    const tarball = await release?.readTarball();
    response.writeHead(tarball === undefined ? 404 : 200).end(tarball);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}

function sendPackage(response: ServerResponse, name: string, releases: readonly Release[], tarballs: string): void {
  const versions = releases.flatMap(({ manifest }, place) =>
    manifest.name === name
      ? [[manifest.version, { ...manifest, dist: { tarball: `${tarballs}/${place}.tgz` } }] as const]
      : [],
  );
  const [latest] = versions.at(-1) ?? [];
  const found = { name, "dist-tags": { latest }, versions: Object.fromEntries(versions) };
  response.setHeader("content-type", "application/json");
  response.writeHead(latest === undefined ? 404 : 200).end(JSON.stringify(latest === undefined ? {} : found));
}

async function readOurReleases(tarballs: readonly Tarball[]): Promise<readonly Release[]> {
  return Promise.all(
    tarballs.map(async ({ path }) => {
      const { output } = await runCommand("tar", ["-xzOf", path, "package/package.json"]);
      return { manifest: manifestSchema.parse(JSON.parse(output)), readTarball: async () => readFileSync(path) };
    }),
  );
}

/** The packages of pnpm's folder. Each is packed when it is asked for. */
function listInstalledReleases(folder: string): readonly Release[] {
  const installed = join(REPOSITORY, "node_modules/.pnpm");
  const paths = readdirSync(installed)
    .filter((key) => key.includes("@"))
    .flatMap((key) => listPackageFolders(join(installed, key, "node_modules")));
  return paths.map((path, place) => ({
    manifest: manifestSchema.parse(JSON.parse(readFileSync(join(path, "package.json"), "utf8"))),
    readTarball: async () => {
      const copy = join(folder, `${place}`);
      // A copy, since pnpm's files are hard links, and npm leaves out what a tarball has as a link.
      cpSync(path, join(copy, "package"), { recursive: true, filter: (file) => basename(file) !== "node_modules" });
      const { exitCode, output } = await runCommand("tar", ["-czf", `${copy}.tgz`, "-C", copy, "package"]);
      if (exitCode !== 0) throw new Error(`packing ${path}: tar refuses:\n${output}`);
      return readFileSync(`${copy}.tgz`);
    },
  }));
}

/** The packages that are real folders here. A link is another package, which has a folder of its own. */
function listPackageFolders(parent: string): readonly string[] {
  return readdirSync(parent, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name.startsWith(".")) return [];
    const path = join(parent, entry.name);
    return entry.name.startsWith("@") ? listPackageFolders(path) : [path];
  });
}
