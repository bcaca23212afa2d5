/** The pages of the web console. */
export { buildConsolePages, type ConsolePage } from "./console-pages.ts";
