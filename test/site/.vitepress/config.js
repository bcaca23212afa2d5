// VitePress bundles what this file imports by a literal. Node runs our TypeScript itself.
const { SITE_CONFIG } = await import(new URL("../site-config.ts", import.meta.url).href);
export default SITE_CONFIG;
