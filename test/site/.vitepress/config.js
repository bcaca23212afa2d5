/** VitePress looks for this file. */
export { SITE_CONFIG as default } from "../site-config.ts";
