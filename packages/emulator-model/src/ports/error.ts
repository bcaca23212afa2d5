/** Every failure of the emulator towards a test or a bench; what a client is refused is an answer, not one of these. */
export type EmulatorErrorCode = "not_asked" | "not_reached" | "unknown_fault" | "unreachable";

export class EmulatorError extends Error {
  readonly code: EmulatorErrorCode;

  constructor(code: EmulatorErrorCode, message: string) {
    super(message);
    this.name = "EmulatorError";
    this.code = code;
  }
}
