/** What programs need to find themselves, their settings, and the network. Nothing of it is a secret of the host's. */
const BASE_NAMES: readonly string[] = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LC_ALL", "LC_CTYPE"],
  ...["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"],
];

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of an agent's process: the host's variables of these names, and what is set for it. */
export function buildChildEnvironment(
  env: Environment,
  names: readonly string[],
  set: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const taken = [...BASE_NAMES, ...names].flatMap((name) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(taken), ...set };
}
