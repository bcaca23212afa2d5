import { createHash } from "node:crypto";
import { chmodSync, constants, lstatSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { Hono } from "hono/tiny";
import { createWebServer } from "../http/web-server.ts";
import { BanyanError } from "../ports/errors.ts";

/** The longest path a socket address holds on every system we run on, in bytes. */
const LONGEST_SOCKET_PATH_BYTES = 100;

/** Far above any call of ours. */
const LARGEST_CALL_BYTES = 65_536;

/** What a command line may ask a running gateway to do. Each takes and gives JSON. */
export type ControlOperations = Readonly<Record<string, (args: unknown) => Promise<unknown>>>;

/** `<stateDir>/control.sock`, or a short stand-in for it where that path is too long for a socket address. */
export function resolveControlSocketPath(stateDir: string): string {
  const path = join(stateDir, "control.sock");
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH_BYTES) return path;
  const name = createHash("sha256").update(stateDir).digest("hex").slice(0, 24);
  return join(tmpdir(), `banyan-${process.getuid?.() ?? 0}`, `${name}.sock`);
}

export interface ControlSocket {
  close(): Promise<void>;
}

/** Opens the socket for its owner alone. The caller holds the state directory's lock, so a socket left there is dead. */
export async function openControlSocket(
  stateDir: string,
  operations: ControlOperations,
  scrub: (text: string) => string = (text) => text,
): Promise<ControlSocket> {
  const path = resolveControlSocketPath(stateDir);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (dirname(path) !== stateDir) checkPrivate(dirname(path));
  rmSync(path, { force: true });
  const server = createWebServer({ fetch: buildControlApp(operations, scrub).fetch });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new BanyanError(
          "state_dir_unusable",
          `The control socket was opened at ${path}: ${error.message}; check the directory's rights`,
          { cause: error },
        ),
      ),
    );
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The stand-in lies where everybody may write: one that somebody else has made first is refused. */
function checkPrivate(folder: string): void {
  const { mode, uid } = lstatSync(folder);
  const isDirectory = (mode & constants.S_IFMT) === constants.S_IFDIR;
  if (isDirectory && (mode & 0o077) === 0 && uid === (process.getuid?.() ?? uid)) return;
  throw new BanyanError(
    "state_dir_unusable",
    `The control socket was opened in ${folder}: other users can write there; remove that folder, or use a state directory with a shorter path`,
  );
}

function buildControlApp(operations: ControlOperations, scrub: (text: string) => string): Hono {
  const app = new Hono();
  const onError = (context: Context) =>
    context.json({ error: { code: "too_large", message: `A call takes at most ${LARGEST_CALL_BYTES} bytes` } }, 413);
  app.use(bodyLimit({ maxSize: LARGEST_CALL_BYTES, onError }));
  app.post("/:operation", async (context) => {
    const name = context.req.param("operation");
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (operation === undefined)
      return context.json(
        { error: { code: "unknown", message: `The running gateway knows no ${name}; is it an older version?` } },
        404,
      );
    try {
      return context.json({ result: (await operation(await context.req.json())) ?? null });
    } catch (error) {
      const code = error instanceof BanyanError ? error.code : "failed";
      const message = error instanceof Error ? error.message : String(error);
      return context.json({ error: { code, message: scrub(message) } }, 400);
    }
  });
  return app;
}
