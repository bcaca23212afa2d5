import type { Reporter, TestCase, TestModule, TestSpecification } from "vitest/node";

const PROGRESS_EVERY_MS = 30_000;

/** Prints the progress of `pnpm test:long` every half minute, and at the end what failed. */
export class LongReporter implements Reporter {
  #startedAt = 0;
  #shownAt = 0;
  #files = 0;
  #endedFiles = 0;
  #passed = 0;
  readonly #failed: string[] = [];

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#startedAt = this.#shownAt = performance.now();
    this.#files = specifications.length;
  }

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state === "passed") this.#passed += 1;
    if (state === "failed") this.#failed.push(`${test.module.relativeModuleId} > ${test.fullName}`);
    if (performance.now() - this.#shownAt < PROGRESS_EVERY_MS) return;
    this.#shownAt = performance.now();
    console.log(`${this.#format()}, ${this.#endedFiles} of ${this.#files} files`);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#endedFiles += 1;
    if (module.errors().length > 0) this.#failed.push(`${module.relativeModuleId} (the file itself)`);
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly { readonly message: string }[]): void {
    this.#failed.push(...errors.map(({ message }) => `outside of a test: ${message}`));
    for (const name of this.#failed) console.log(`failed: ${name}`);
    console.log(this.#format());
  }

  #format(): string {
    const seconds = ((performance.now() - this.#startedAt) / 1_000).toFixed();
    return `${this.#passed} passed, ${this.#failed.length} failed after ${seconds} s`;
  }
}
