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

export type FromKeeper =
  | { readonly type: "checked"; readonly damage: string | undefined }
  /** `path`: `undefined` where nothing changed since the newest backup, or that is young enough. */
  | { readonly type: "backed_up"; readonly path: string | undefined }
  | { readonly type: "failed"; readonly cause: string };
