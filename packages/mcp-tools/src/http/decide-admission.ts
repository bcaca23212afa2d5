import type { IncomingHttpHeaders } from "node:http";
import type { ToolGrant } from "../grants/tool-grant.ts";

/** The only path; an address that carries more than it may carry a bearer, which stands in logs then. */
export const TOOLS_PATH = "/mcp";

/** RFC 6750, "The WWW-Authenticate Response Header Field". */
const CHALLENGE = 'Bearer realm="banyan"';
const INVALID = ', error="invalid_token"';

export interface KnockingRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

export interface Refusal {
  readonly kind: "refused";
  readonly status: number;
  /** What is wrong and what to do. */
  readonly why: string;
  /** Headers that the status requires: how to authenticate (401), which methods are served (405). */
  readonly headers: Readonly<Record<string, string>>;
}

export type Admission = { readonly kind: "admitted"; readonly grant: ToolGrant } | Refusal;

export interface DoorKeeper {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  findGrant(bearer: string): ToolGrant | undefined;
}

/** Who is let in, by a request's head alone: nothing of a body is read before. Pure but for the look at the grants. */
export function decideAdmission({ method, url, headers }: KnockingRequest, keeper: DoorKeeper): Admission {
  // A name that was rebound to loopback, and pages of any site: programs of agents send neither.
  if (headers.host !== keeper.host) return refuse(403, "it answers to its own address only; use it as it was given");
  if (headers.origin !== undefined) return refuse(403, "it answers to no page in a browser");
  const bearer = readBearer(headers.authorization);
  const grant = bearer === undefined ? undefined : keeper.findGrant(bearer);
  if (grant === undefined) {
    const why = "the bearer is missing, wrong or revoked; send the one given with the address, as a header";
    return refuse(401, why, { "www-authenticate": `${CHALLENGE}${bearer === undefined ? "" : INVALID}` });
  }
  if (url !== TOOLS_PATH) return refuse(404, `only ${TOOLS_PATH}, without anything after it, is served`);
  if (method !== "POST") return refuse(405, "only POST is served", { allow: "POST" });
  return { kind: "admitted", grant };
}

function readBearer(authorization: string | undefined): string | undefined {
  const [scheme, bearer, ...rest] = (authorization ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" && bearer !== undefined && rest.length === 0 ? bearer : undefined;
}

export function refuse(status: number, why: string, headers: Readonly<Record<string, string>> = {}): Refusal {
  return { kind: "refused", status, why, headers };
}
