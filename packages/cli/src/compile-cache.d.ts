/** Switches the cache on if there is a private folder; without one each start compiles again. */
export declare function enablePrivateCompileCache(): void;
/** The folder, created if missing; `undefined`: the folder, or the path to it, is open to other users. */
export declare function openCompileFolder(
  env?: Readonly<Record<string, string | undefined>>,
  uid?: number,
): string | undefined;
