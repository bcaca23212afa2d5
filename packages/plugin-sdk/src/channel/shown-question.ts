/**
 * What a person is asked, so that a channel with buttons can put one below the message for each choice. What a press does is
 * the command `/answer <number> <questionId>` in the name of whoever pressed, the number counted from 1.
 */
export interface ShownQuestion {
  /** `[A-Za-z0-9_-]{22}`. */
  readonly questionId: string;
  /** One to four. */
  readonly choices: readonly { readonly label: string; readonly isAllowing: boolean }[];
  /** The platform's id of whoever is asked, who alone may press; absent where that is somebody of another channel. */
  readonly askedOf?: string;
  /** Milliseconds since the epoch: nobody who answers later is heard. */
  readonly expiresAt: number;
}
