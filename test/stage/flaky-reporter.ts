import type { Reporter, TestCase } from "vitest/node";

/** Prints at the end each test that failed and passed when it was repeated. Vitest prints it as passed. */
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
