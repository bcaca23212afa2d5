/** What a bot has set with setWebhook. */
export interface WebhookTarget {
  readonly url: string;
  /** Empty where none was given. */
  readonly secretToken: string;
  readonly maxConnections: number;
}

/** "setWebhook", core.telegram.org/bots/api. */
export const DEFAULT_CONNECTIONS = 40;
export const MOST_CONNECTIONS = 100;
const SECRET = /^[\w-]{0,256}$/;
const PORTS: ReadonlySet<string> = new Set(["", "80", "88", "443", "8443"]);

/** Why Telegram does not take the address or the secret, in its words; undefined where it does. */
export function findWebhookFault(url: string, secretToken: string, isLocalServer: boolean): string | undefined {
  if (!SECRET.test(secretToken)) return "secret token contains unallowed characters";
  if (url === "") return undefined;
  const parsed = URL.parse(url);
  if (parsed === null) return "invalid webhook URL specified";
  if (isLocalServer && /^https?:$/.test(parsed.protocol)) return undefined;
  if (parsed.protocol !== "https:") return "bad webhook: An HTTPS URL must be provided for webhook";
  if (!PORTS.has(parsed.port)) return "bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443";
  if (isLoopback(parsed)) return `bad webhook: IP address ${readAddress(parsed)} is reserved`;
  return undefined;
}

/** The address that is really called: what lies beyond this machine is none of a test's business. */
export function findCallable({ url }: WebhookTarget): URL | undefined {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol === "http:" && isLoopback(parsed) ? parsed : undefined;
}

/** As getWebhookInfo tells it, where it is known without asking a name server. */
export function findWebhookAddress({ url }: WebhookTarget): string | undefined {
  const parsed = URL.parse(url);
  return parsed !== null && isLoopback(parsed) ? readAddress(parsed) : undefined;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "127.0.0.1" || hostname === "localhost";
}

function readAddress({ hostname }: URL): string {
  return hostname === "localhost" ? "127.0.0.1" : hostname;
}
