import { createServer } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect, it, onTestFinished } from "vitest";
import { type Certificate, createAuthority, createServerCertificate } from "./certificate.ts";
import { failureOf, listen, openTransport } from "./wire-platform.ts";

/** A platform behind TLS, and how many connections and bytes of calls it saw. */
async function openSecurePlatform({ pem, key }: Certificate) {
  const server = createServer({ key: key.export({ type: "pkcs8", format: "pem" }), cert: pem }, (request, answer) => {
    request.on("end", () => answer.end("ok")).resume();
  });
  const seen = { connections: 0, bytes: 0 };
  server.on("secureConnection", (socket) => {
    seen.connections += 1;
    socket.on("data", (bytes: Buffer) => (seen.bytes += bytes.length));
  });
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = new URL(await listen(server));
  return { seen, urlOf: (host: string) => `https://${host}:${port}/bot4711:TOKEN` };
}

function trust({ pem }: Certificate): void {
  const before = getCACertificates();
  setDefaultCACertificates([...before, pem]);
  onTestFinished(() => setDefaultCACertificates(before));
}

const SECRET = { method: "POST", body: "SECRET" };

it("a certificate that is trusted and bears the name is taken, and its connection is kept", async () => {
  const authority = createAuthority("Grove CA");
  trust(authority);
  const { seen, urlOf } = await openSecurePlatform(createServerCertificate("localhost", authority));
  const { fetch } = openTransport();
  for (const body of ["SECRET", "x".repeat(5_000_000), new Uint8Array(5_000_000), "SECRET"])
    expect(await (await fetch(urlOf("localhost"), { method: "POST", body })).text()).toBe("ok");
  expect(seen.connections).toBe(1);
  expect(seen.bytes).toBeGreaterThan(10_000_000);
});

it.each([
  ["another name", "elsewhere.example", "localhost"],
  ["a name that only begins alike", "localhost.example", "localhost"],
  ["a name, called by its address", "localhost", "127.0.0.1"],
])("a trusted certificate for %s is refused, and the request is not sent", async (_what, name, host) => {
  const authority = createAuthority("Grove CA");
  trust(authority);
  const { seen, urlOf } = await openSecurePlatform(createServerCertificate(name, authority));
  expect(await failureOf(urlOf(host), SECRET)).toMatchObject({
    sent: false,
    message: expect.stringContaining("ERR_TLS_CERT_ALTNAME_INVALID"),
  });
  expect(seen.bytes).toBe(0);
});

it("a certificate that nobody trusts is refused, and the request is not sent", async () => {
  const { seen, urlOf } = await openSecurePlatform(createServerCertificate("localhost", createAuthority("Grove CA")));
  expect(await failureOf(urlOf("localhost"), SECRET)).toMatchObject({
    sent: false,
    message: expect.stringContaining("UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
  });
  expect(seen.bytes).toBe(0);
});
