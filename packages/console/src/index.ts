/** The pages of the web console. */
export { buildConsolePages, buildDevPage, type ConsolePage } from "./console-pages.ts";
