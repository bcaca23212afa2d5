/** Small pieces that plugins need alike, over the contract's own ports. Nothing here is needed to write one. */
export { type AccountHealth, createAccountHealth } from "./account-health.ts";
export { type Backoff, decideBackoffMs } from "./backoff.ts";
export { cutGrowingMarkdown, cutText, type GrowingMarkdown } from "./growing-markdown.ts";
export { GrowingText, type GrowingTextOptions } from "./growing-text.ts";
export { createManualClock, type ManualClock, STARTED_AT } from "./manual-clock.ts";
export { pause, settleUnlessAborted } from "./pause.ts";
export { createPlatformTime, type PlatformTime } from "./platform-time.ts";
export { type BodyLimits, type BodyRead, readRequestBody } from "./request-body.ts";
