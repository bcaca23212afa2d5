/**
 * How long a test waits by default for what an emulator is to see, in ms of real time. It only ends what hangs: a slow,
 * busy machine never comes near it. Below the 60 s of a test, so that the transcript is printed before the test is ended.
 */
export const PATIENCE_MS: number = 50_000;
