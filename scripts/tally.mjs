/** Adds up what the stages of a test run report, and ends the run with one line. */
export class Tally {
  #passed = 0;
  #failures = [];
  #skipped = [];
  #flaky = [];

  /** Runs one stage that counts as one test. @param {() => boolean} check */
  check(name, check) {
    heading(name);
    const startedAt = Date.now();
    const succeeded = check();
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    console.log(`${succeeded ? 'ok' : 'FAILED'}: ${name} (${seconds} s)`);
    if (succeeded) this.#passed += 1;
    else this.#failures.push(name);
    return succeeded;
  }

  /** Runs a stage that counts its own tests. @param {() => Counts | undefined} suite undefined: it did not finish */
  suite(name, suite) {
    heading(name);
    const counts = suite();
    if (!counts || counts.passed + counts.failed.length === 0) {
      this.#failures.push(`${name} (${counts ? 'ran no test' : 'did not finish'})`);
      return;
    }
    this.#passed += counts.passed;
    for (const failed of counts.failed) this.#failures.push(`${failed.name}: ${failed.reason}`);
    this.#skipped.push(...counts.skipped);
    this.#flaky.push(...counts.flaky);
  }

  skip(name, reason) {
    this.#skipped.push({ name, reason });
  }

  /** Prints the summary; its last line is read by machines. Sets the exit code. */
  finish() {
    heading('summary');
    for (const { name, reason } of this.#skipped) console.log(`skipped: ${name}: ${reason}`);
    for (const { name, reason } of this.#flaky) console.log(`passed at the second try: ${name}: ${reason}`);
    // last, as a log may keep its end alone
    for (const failure of this.#failures) console.log(`failed: ${failure}`);
    process.exitCode = this.#failures.length === 0 && this.#passed > 0 ? 0 : 1;
    console.log(`${this.#passed} passed, ${this.#failures.length} failed, ${this.#skipped.length} skipped`);
  }
}

function heading(name) {
  console.log(`\n== ${name}`);
}
