import { APICallError } from "ai";
import { expect, it } from "vitest";
import { classifyFailure } from "../../src/failures/classify-failure.ts";
import { decideRetry } from "../../src/failures/decide-retry.ts";
import { ModelUnavailable } from "../../src/models/model-unavailable.ts";

function refusal(
  statusCode: number | undefined,
  headers: Record<string, string> = {},
  responseBody = "",
): APICallError {
  return new APICallError({
    message: "no",
    url: "http://127.0.0.1/v1",
    requestBodyValues: {},
    responseHeaders: headers,
    responseBody,
    ...(statusCode === undefined ? {} : { statusCode }),
  });
}

it.each([
  [refusal(429), "passing"],
  [refusal(408), "passing"],
  [refusal(409), "passing"],
  [refusal(500), "passing"],
  [refusal(529), "passing"],
  [refusal(200), "passing"],
  [refusal(undefined), "passing"],
  [new TypeError("terminated"), "passing"],
  ["overloaded", "passing"],
  [refusal(400), "lasting"],
  [refusal(401), "lasting"],
  [refusal(403), "lasting"],
  [refusal(404), "lasting"],
  [refusal(429, {}, '{"error":{"code":"insufficient_quota"}}'), "lasting"],
  [new ModelUnavailable("grove/small", "there is none"), "lasting"],
] as const)("takes %s for %s", (error, kind) => {
  expect(classifyFailure(error).kind).toBe(kind);
});

it.each([
  [{ "retry-after": "7" }, 7_000],
  [{ "retry-after-ms": "1500", "retry-after": "7" }, 1_500],
  [{ "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }, undefined],
  [{}, undefined],
])("reads of %j how long to wait: %s ms", (headers, retryAfterMs) => {
  const failure = classifyFailure(refusal(429, headers));
  expect("retryAfterMs" in failure ? failure.retryAfterMs : undefined).toBe(retryAfterMs);
});

const PASSING = { kind: "passing", text: "" } as const;

it.each([
  [PASSING, 0, { kind: "retry", afterMs: 500 }],
  [PASSING, 2, { kind: "retry", afterMs: 2_000 }],
  [PASSING, 3, { kind: "give-up" }],
  [{ ...PASSING, retryAfterMs: 7_000 }, 0, { kind: "retry", afterMs: 7_000 }],
  [{ ...PASSING, retryAfterMs: 61_000 }, 0, { kind: "give-up" }],
  [{ kind: "lasting", text: "" }, 0, { kind: "give-up" }],
] as const)("decides about %j after %i failures", (failure, failures, decision) => {
  expect(decideRetry(failure, failures, 0)).toEqual(decision);
});
