import type { Reporter, TestCase } from "vitest/node";

/** Names at the end what has failed and passed when it was repeated: for vitest that is a test like any other. */
export class FlakyReporter implements Reporter {
  readonly #flaky: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    this.#flaky.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#flaky.splice(0)) console.log(`flaky: ${name}`);
  }
}
