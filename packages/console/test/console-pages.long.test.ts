import { expect, test } from "vitest";
import { buildConsolePages } from "../src/index.ts";

const ORIGIN = "http://127.0.0.1:8787";

async function get(path: string, method = "GET"): Promise<Response> {
  const page = buildConsolePages().find((each) => path === each.path || path.startsWith(`${each.path}/`));
  if (page === undefined) throw new Error(`No page is mounted for ${path}`);
  return page.serve(new Request(ORIGIN + path, { method }));
}

/** What a page or script loads in turn. */
function listReferences(source: string): readonly string[] {
  return [...source.matchAll(/(?:src|href)="([^"]+)"|^(?:import|export) .*from "([^"]+)"/gm)].flatMap(
    ([, attribute, specifier]) => attribute ?? specifier ?? [],
  );
}

test("everything the page loads is there, and from here", async () => {
  const seen = new Map<string, string | null>();
  const open = ["/"];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    seen.set(path, response.headers.get("content-type"));
    for (const reference of listReferences(await response.text())) {
      const url = new URL(reference, ORIGIN + path);
      expect(url.origin).toBe(ORIGIN);
      open.push(url.pathname);
    }
  }
  expect(seen.get("/")).toBe("text/html; charset=utf-8");
  expect(seen.get("/assets/chat.ts")).toBe("text/javascript; charset=utf-8");
  expect(seen.get("/assets/markdown.ts")).toBe("text/javascript; charset=utf-8");
  expect(seen.get("/assets/chat.css")).toBe("text/css; charset=utf-8");
});

test("scripts are served as browsers read them", async () => {
  const script = await (await get("/assets/retry-wait.ts")).text();
  expect(script).toContain("export function decideRetryWaitMs(");
  expect(script).not.toContain(": number");
});

test.each(["/", "/assets/chat.css", "/assets/nothing"])(
  "%s runs nothing foreign and is framed by nobody",
  async (path) => {
    const { headers } = await get(path);
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  },
);

test("the page holds no script, style or handler of its own", async () => {
  const html = await (await get("/")).text();
  expect(html).not.toMatch(/<script[^>]*>[^<]|<style|\sstyle=|\son\w+=/);
});

test.each(["/assets", "/assets/", "/assets/../page-scripts.ts", "/assets/%2e%2e/index.ts", "/assets/nothing"])(
  "%s is 404",
  async (path) => {
    const { pathname } = new URL(path, ORIGIN);
    const page = buildConsolePages().find((each) => each.path === "/assets");
    expect((await page?.serve(new Request(ORIGIN + pathname)))?.status).toBe(404);
  },
);

test("a page is only read", async () => {
  const head = await get("/", "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await get("/", "POST")).status).toBe(405);
});
