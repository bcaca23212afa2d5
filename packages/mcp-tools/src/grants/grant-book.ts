import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { buildKnownSecret, type ToolDescription } from "@banyan/plugin-sdk";
import { ToolGrant } from "./tool-grant.ts";

const BEARER_BYTES = 32;

/** Who holds which bearer. Held in memory: a bearer ends with the process, at the latest. */
export class GrantBook {
  readonly #bySession = new Map<string, ToolGrant>();

  /** A conversation has one at a time: the one before is revoked. */
  give(sessionKey: string, tools: readonly ToolDescription[]): { readonly grant: ToolGrant; readonly bearer: string } {
    this.#bySession.get(sessionKey)?.revoke();
    const bearer = buildKnownSecret(randomBytes(BEARER_BYTES).toString("base64url"));
    const grant = new ToolGrant(hashBearer(bearer), tools);
    this.#bySession.set(sessionKey, grant);
    return { grant, bearer };
  }

  /** Looks at all of them, in the same time whether and where one fits. */
  find(bearer: string): ToolGrant | undefined {
    const digest = hashBearer(bearer);
    let found: ToolGrant | undefined;
    for (const [sessionKey, grant] of this.#bySession) {
      if (grant.isRevoked) this.#bySession.delete(sessionKey);
      else if (timingSafeEqual(grant.digest, digest)) found = grant;
    }
    return found;
  }

  revokeAll(): void {
    for (const grant of this.#bySession.values()) grant.revoke();
    this.#bySession.clear();
  }
}

function hashBearer(bearer: string): Buffer {
  return createHash("sha256").update(bearer).digest();
}
