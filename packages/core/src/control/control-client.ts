import { BanyanError } from "../ports/errors.ts";
import { resolveControlSocketPath } from "./control-socket.ts";

const TIMEOUT_MS = 30_000;
/** A gateway reports about itself without waiting for other work: one that takes longer is suspended or hangs. */
export const REPORT_TIMEOUT_MS = 10_000;

/**
 * Asks the gateway that runs on a state directory. Throws `control_unavailable` when none answers, and an `Error` with
 * the gateway's own sentence when it refuses.
 */
export async function callControl(
  stateDir: string,
  operation: string,
  args: unknown = {},
  timeoutMs: number = TIMEOUT_MS,
): Promise<unknown> {
  const text = await post({ stateDir, operation, body: JSON.stringify(args), timeoutMs });
  const { result, error }: { result?: unknown; error?: { message: string } } = JSON.parse(text);
  if (error !== undefined) throw new Error(error.message);
  return result;
}

interface ControlCall {
  readonly stateDir: string;
  readonly operation: string;
  readonly body: string;
  readonly timeoutMs: number;
}

function post({ stateDir, operation, body, timeoutMs }: ControlCall): Promise<string> {
  // By name it would be imported with every start, and all that it exports with it; see `web-server.ts`.
  const { request } = process.getBuiltinModule("node:http");
  return new Promise((resolve, reject) => {
    const unavailable = (cause: unknown) =>
      reject(
        new BanyanError(
          "control_unavailable",
          `The gateway on ${stateDir} was called: none answers; start one with banyan start`,
          { cause },
        ),
      );
    const call = request({
      socketPath: resolveControlSocketPath(stateDir),
      path: `/${operation}`,
      method: "POST",
      headers: { "content-type": "application/json" },
      timeout: timeoutMs,
    });
    call.on("error", unavailable);
    call.on("timeout", () => call.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    call.on("response", (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", unavailable);
      answer.on("end", () => resolve(Buffer.concat(chunks).toString()));
    });
    call.end(body);
  });
}
