const STORAGE_KEY = "banyan.token";

/** The token in an address, and the address without it. */
export function parseTokenAddress(address: string): { readonly token: string | undefined; readonly clean: string } {
  const url = new URL(address);
  const fragment = new URLSearchParams(url.hash.slice(1));
  const token = url.searchParams.get("token") ?? fragment.get("token") ?? undefined;
  url.searchParams.delete("token");
  if (fragment.has("token")) {
    fragment.delete("token");
    url.hash = fragment.toString();
  }
  return { token: token === "" ? undefined : token, clean: url.href };
}

/** The operator's token: it comes with the address that `banyan start` prints, and stays in this browser. */
export class AccessToken {
  #value: string | undefined;

  constructor() {
    const { token, clean } = parseTokenAddress(location.href);
    if (clean !== location.href) history.replaceState(null, "", clean);
    if (token !== undefined) localStorage.setItem(STORAGE_KEY, token);
    this.#value = token ?? localStorage.getItem(STORAGE_KEY) ?? undefined;
  }

  get value(): string | undefined {
    return this.#value;
  }

  /** Calls back when another tab was opened with a newer token. */
  onRenewed(callback: () => void): void {
    addEventListener("storage", ({ key, newValue }) => {
      if (key !== STORAGE_KEY || newValue === null || newValue === this.#value) return;
      this.#value = newValue;
      callback();
    });
  }
}
