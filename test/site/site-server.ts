import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

export interface SiteServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the files that are in the folder now, on the loopback interface alone. Port 0 is any free one. */
export async function serveSite(folder: string, port: number): Promise<SiteServer> {
  const files = new Set(readdirSync(folder, { recursive: true, encoding: "utf8" }));
  const server = createServer(({ url = "/" }, response) => {
    // No name of a built file needs an escape.
    const path = url.replace(/^\/|[?#].*$/g, "").replace(/(?<=^|\/)$/, "index.html");
    const type = TYPES[extname(path)];
    const isFound = type !== undefined && files.has(path);
    response.writeHead(isFound ? 200 : 404, { "content-type": isFound ? type : TYPES[".html"] });
    response.end(readFileSync(join(folder, isFound ? path : "404.html")));
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(port, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  const bound = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${bound}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
