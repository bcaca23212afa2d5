import { type Answer, accept, CONFLICT_TEXT, type Refusal, refuse, refuseForNow } from "../answers/answer.ts";
import type { Fault } from "../faults/fault.ts";

/** What goes over the wire in the end. */
export type Delivery =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "page"; readonly status: number; readonly contentType: string; readonly text: string }
  | { readonly kind: "cut" };

const CUT: Delivery = { kind: "cut" };

/** What a fault puts in place of the call, or undefined where the call shall have its effect. */
export function decideBeforeEffect(fault: Fault): Delivery | undefined {
  switch (fault.kind) {
    case "drop-request":
      return CUT;
    case "too-many-requests":
      return { kind: "answer", answer: refuseForNow(fault.retryAfterS) };
    case "refuse":
      return { kind: "answer", answer: buildRefusal(fault) };
    case "conflict":
      return { kind: "answer", answer: refuse(409, CONFLICT_TEXT) };
    case "unauthorized":
      return { kind: "answer", answer: refuse(401, "Unauthorized") };
    case "server-error":
    case "garbage":
      return fault.isAccepted === true ? undefined : buildPage(fault);
    case "drop-answer":
    case "delay":
    case "short-answer":
    case "hold":
      return undefined;
  }
}

/** What a fault makes of the answer of a call that has had its effect. */
export function decideAfterEffect(fault: Fault, answer: Answer): Delivery {
  switch (fault.kind) {
    case "drop-answer":
      return CUT;
    case "server-error":
    case "garbage":
      return buildPage(fault);
    case "short-answer":
      return { kind: "answer", answer: shorten(answer, fault.count) };
    default:
      return { kind: "answer", answer };
  }
}

function shorten(answer: Answer, count: number): Answer {
  return answer.ok && Array.isArray(answer.result) ? accept(answer.result.slice(0, count)) : answer;
}

function buildPage(fault: Fault & { readonly kind: "server-error" | "garbage" }): Delivery {
  if (fault.kind === "garbage") {
    return { kind: "page", status: 200, contentType: "application/json", text: '{"ok":true,"resu\u0000' };
  }
  const status = fault.status ?? 502;
  const text = `<html>\r\n<head><title>${status}</title></head>\r\n<body><center><h1>${status}</h1></center></body>\r\n</html>`;
  return { kind: "page", status, contentType: "text/html", text };
}

function buildRefusal(fault: Fault & { readonly kind: "refuse" }): Refusal {
  const { retryAfterS, migrateToChatId } = fault;
  const parameters = {
    ...(retryAfterS !== undefined && { retry_after: retryAfterS }),
    ...(migrateToChatId !== undefined && { migrate_to_chat_id: migrateToChatId }),
  };
  const refusal = refuse(fault.code, fault.description);
  return Object.keys(parameters).length === 0 ? refusal : { ...refusal, parameters };
}
