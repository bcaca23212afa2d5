import type { Bar } from "./bar.ts";
import type { Calibration } from "./calibration.ts";

export interface SectionOptions {
  readonly pairs: number;
  /** In one measured stretch. */
  readonly messages: number;
  readonly calibration: Calibration;
  /** One line of progress. */
  tell(line: string): void;
}

/** A part of the bench that can be run by itself. */
export interface Section {
  readonly name: string;
  readonly about: string;
  measure(options: SectionOptions): Promise<readonly Bar[]>;
}
