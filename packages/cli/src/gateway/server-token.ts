import { randomBytes } from "node:crypto";
import { closeSync, constants, fchmodSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BanyanError } from "@banyan/core";

const TOKEN_BYTES = 32;
const SHORTEST_TOKEN_CHARS = 16;

/** The operator's bearer: made at the first start, kept for its owner alone, the same at the next start. */
export function resolveServerToken(stateDir: string): string {
  const file = join(stateDir, "token");
  try {
    return readToken(file) ?? writeToken(stateDir, file);
  } catch (cause) {
    const wrong = cause instanceof Error ? cause.message : String(cause);
    throw new BanyanError(
      "state_dir_unusable",
      `keeping the server's token in ${stateDir}: ${wrong}; choose a state directory that this user owns`,
      { cause },
    );
  }
}

function writeToken(stateDir: string, file: string): string {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  rmSync(file, { force: true });
  writeFileSync(file, `${token}\n`, { mode: 0o600, flag: "wx" });
  return token;
}

/** A file that was cut short is no token: a new one is made. */
function readToken(file: string): string | undefined {
  try {
    const { O_NOFOLLOW, O_RDONLY } = constants;
    const fd = openSync(file, O_RDONLY | O_NOFOLLOW);
    let token: string;
    try {
      // It may come from a copy that everybody could read.
      fchmodSync(fd, 0o600);
      token = readFileSync(fd, "utf8").trim();
    } finally {
      closeSync(fd);
    }
    return token.length >= SHORTEST_TOKEN_CHARS ? token : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
