/** One errand of the keeping worker, which ends after it. */
export type KeeperErrand =
  | { readonly errand: "check"; readonly stateDir: string }
  | {
      readonly errand: "backup";
      readonly stateDir: string;
      /** No backup where the newest one is younger. */
      readonly minAgeMs: number;
      readonly faultPointModule?: string;
    };

/** How a look through the file ended. `cause`: why there was none. */
export type CheckEnd =
  | { readonly type: "checked"; readonly damage: string | undefined }
  | { readonly type: "failed"; readonly cause: string };

export type FromKeeper =
  | CheckEnd
  /** `path`: `undefined` where nothing changed since the newest backup, or that is young enough. */
  | { readonly type: "backed_up"; readonly path: string | undefined };
