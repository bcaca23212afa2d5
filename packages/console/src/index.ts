/** The pages of the web console, and what they ask for. */
export { buildConsolePages, buildDevPage, type ConsolePage } from "./console-pages.ts";
export type { DeskButton, DeskCard, DeskChat, DeskMessage } from "./page/desk-chat.ts";
export { createRunsApi, type RunsApiParts } from "./runs-api.ts";
