import { createHash, timingSafeEqual } from "node:crypto";

const LOOPBACK_HOSTS: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Who may call the server. */
export interface Guard {
  /** Whether `Host` and `Origin` are ours: a page of another site, or a name rebound to loopback, is refused. */
  isOurs(request: Request): boolean;
  /** Whether the bearer is the operator. */
  isOperator(request: Request): boolean;
}

export function createGuard(token: string, hosts: readonly string[], port: () => number): Guard {
  const expected = digest(token);
  const names = () => {
    const all = [...new Set([...LOOPBACK_HOSTS, ...hosts])];
    return new Set([...all, ...all.map((host) => `${host}:${port()}`)]);
  };
  return {
    isOurs(request) {
      const host = request.headers.get("host");
      const origin = request.headers.get("origin");
      const known = names();
      if (host === null || !known.has(host.toLowerCase())) return false;
      return origin === null || [...known].some((name) => origin === `http://${name}` || origin === `https://${name}`);
    },
    isOperator(request) {
      const [scheme, given, ...rest] = (request.headers.get("authorization") ?? "").split(" ");
      if (scheme?.toLowerCase() !== "bearer" || given === undefined || rest.length > 0) return false;
      // Digests have one length, so the comparison tells nothing about the token, not even how long it is.
      return timingSafeEqual(digest(given), expected);
    },
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
