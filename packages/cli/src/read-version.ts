import { readFileSync } from "node:fs";

/** This package's version, as installed. */
export function readVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  return version;
}
