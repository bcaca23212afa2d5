import type { Fault } from "../faults/fault.ts";
import type { Answer } from "./call.ts";

export interface AnswerDelivery {
  readonly kind: "answer";
  readonly answer: Answer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What goes over the wire in the end. */
export type Delivery =
  | AnswerDelivery
  | { readonly kind: "page"; readonly status: number; readonly contentType: string; readonly text: string }
  | { readonly kind: "cut" };

const CUT: Delivery = { kind: "cut" };

/** What a fault puts in place of the call, or undefined where the call shall have its effect. */
export function decideBeforeEffect(fault: Fault): Delivery | undefined {
  switch (fault.kind) {
    case "cut":
      return CUT;
    case "rate-limit":
      return buildRateLimit(fault.retryAfterMs, fault.global === true ? "global" : (fault.scope ?? "user"));
    case "status":
    case "garbage":
      return fault.isAccepted === true ? undefined : buildPage(fault);
    case "drop-answer":
    case "delay":
    case "hold":
      return undefined;
  }
}

/** What a fault makes of the answer of a call that has had its effect. */
export function decideAfterEffect(fault: Fault, delivery: Delivery): Delivery {
  if (fault.kind === "drop-answer") return CUT;
  return fault.kind === "status" || fault.kind === "garbage" ? buildPage(fault) : delivery;
}

/** 429 with its headers (Rate Limits; D9, D11, D12). */
export function buildRateLimit(retryAfterMs: number, scope: "user" | "global" | "shared"): AnswerDelivery {
  const retryAfterS = retryAfterMs / 1000;
  const message = scope === "shared" ? "The resource is being rate limited." : "You are being rate limited.";
  return {
    kind: "answer",
    answer: { status: 429, body: { message, retry_after: retryAfterS, global: scope === "global" } },
    headers: {
      "retry-after": String(Math.ceil(retryAfterS)),
      "x-ratelimit-scope": scope,
      ...(scope === "global" && { "x-ratelimit-global": "true" }),
    },
  };
}

function buildPage(fault: Fault & { readonly kind: "status" | "garbage" }): Delivery {
  if (fault.kind === "garbage") {
    return { kind: "page", status: 200, contentType: "application/json", text: '{"id":"1\u0000' };
  }
  const { status, body } = fault;
  if (body !== undefined && typeof body !== "string") return { kind: "answer", answer: { status, body } };
  const text = `<html>\r\n<head><title>${status}</title></head>\r\n<body><center><h1>${status}</h1></center></body>\r\n</html>`;
  return { kind: "page", status, contentType: "text/html", text: body ?? text };
}
