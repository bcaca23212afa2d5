import { CHAT_CSS } from "./assets/chat-css.ts";
import { buildChatHtml, type PageParts } from "./assets/chat-html.ts";
import { DEV_CSS } from "./assets/dev-css.ts";
import { DEV_PANE_HTML } from "./assets/dev-html.ts";
import { ICON_SVG } from "./assets/icon-svg.ts";
import { TREE_CSS } from "./assets/tree-css.ts";
import { PAGE_SCRIPT_ENDING, readPageScripts } from "./page-scripts.ts";

/** A path, with all below it, and what is served there. The pages hold no secret: the APIs they call ask for the token. */
export interface ConsolePage {
  readonly path: string;
  serve(request: Request): Promise<Response>;
}

interface Asset {
  readonly type: string;
  readonly body: string;
}

const ASSETS_PATH = "/assets";

/** Everything comes from this server, nothing runs that is written into a page, and nobody frames it. */
const CONTENT_SECURITY_POLICY: string = [
  "default-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  // The address holds the token until the page has taken it out.
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // The next version of Banyan serves other files under the same names.
  "cache-control": "no-cache",
};

/** The console's pages, for an open mount each. Files are read at the first request. */
export function buildConsolePages(): readonly ConsolePage[] {
  const html = buildPage({ title: "Banyan" });
  let assets: Promise<ReadonlyMap<string, Asset>> | undefined;
  return [
    { path: "/", serve: async (request) => respond(request, html) },
    {
      path: ASSETS_PATH,
      async serve(request) {
        assets ??= readAssets().catch((error: unknown) => {
          // The next request tries again.
          assets = undefined;
          throw error;
        });
        return respond(request, (await assets).get(new URL(request.url).pathname));
      },
    },
  ];
}

/** The page of `banyan dev`: emulated platforms beside the chat. Its assets are the console's. */
export function buildDevPage(): ConsolePage {
  const parts = { title: "Banyan dev", styles: ["dev"], scripts: ["dev"], before: DEV_PANE_HTML };
  const html = buildPage(parts);
  return { path: "/dev", serve: async (request) => respond(request, html) };
}

function buildPage(parts: Omit<PageParts, "assetsPath" | "scriptEnding">): Asset {
  const body = buildChatHtml({ ...parts, assetsPath: ASSETS_PATH, scriptEnding: PAGE_SCRIPT_ENDING });
  return { type: "text/html", body };
}

async function readAssets(): Promise<ReadonlyMap<string, Asset>> {
  const scripts = await readPageScripts();
  return new Map<string, Asset>([
    [`${ASSETS_PATH}/chat.css`, { type: "text/css", body: CHAT_CSS }],
    [`${ASSETS_PATH}/tree.css`, { type: "text/css", body: TREE_CSS }],
    [`${ASSETS_PATH}/dev.css`, { type: "text/css", body: DEV_CSS }],
    [`${ASSETS_PATH}/icon.svg`, { type: "image/svg+xml", body: ICON_SVG }],
    ...[...scripts].map(([name, body]): [string, Asset] => [
      `${ASSETS_PATH}/${name}`,
      { type: "text/javascript", body },
    ]),
  ]);
}

function respond(request: Request, asset: Asset | undefined): Response {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response("Pages are only read\n", { status: 405, headers: { ...HEADERS, allow: "GET, HEAD" } });
  }
  if (asset === undefined) return new Response("There is no such page\n", { status: 404, headers: HEADERS });
  const body = request.method === "HEAD" ? null : asset.body;
  return new Response(body, { headers: { ...HEADERS, "content-type": `${asset.type}; charset=utf-8` } });
}
