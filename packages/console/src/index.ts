/** The pages of the web console, and what they ask for. */
export { buildConsolePages, buildDevPage, type ConsolePage } from "./console-pages.ts";
export { createRunsApi, type RunsApiParts } from "./runs-api.ts";
