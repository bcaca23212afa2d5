import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** Where the unpacked browser stays for the next run; a new version of the package gets a new name here. */
const HOME: string = join(tmpdir(), "banyan-test-chromium-153");

/** A headless browser from the npm package alone. The first run unpacks it, which takes some seconds. */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(HOME)) await unpack();
  return playwright.launch({
    executablePath: join(HOME, "chromium"),
    // It keeps no profile and sees no page but ours; as root it cannot have a sandbox of its own.
    args: ["--no-sandbox", "--font-render-hinting=none"],
  });
}

/** Beside its place first: a run that is killed meanwhile, or a second one, never finds half a browser. */
async function unpack(): Promise<void> {
  const staging = await mkdtemp(`${HOME}-`);
  const { TMPDIR } = process.env;
  // The package unpacks into the system's temporary directory and offers no other.
  process.env.TMPDIR = staging;
  try {
    await chromium.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  await rename(staging, HOME).catch(async (error: unknown) => {
    await rm(staging, { recursive: true });
    // Another run was faster.
    if (!existsSync(HOME)) throw error;
  });
}
