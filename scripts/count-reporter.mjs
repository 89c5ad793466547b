/**
 * A Vitest reporter that writes what `npm test` adds up: how many tests passed, and by name and reason each that failed,
 * was skipped or passed at a later try. A file that fails before its first test, a hook that fails, and an error outside
 * of every test count as one failure each. So does a file whose process is blocked. No limit of a test ends that: the run
 * ends itself once it has heard nothing for longer than any test may take.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const outputVariable = 'RELATA_TEST_COUNTS';
/** For tests of this reporter. */
const silenceVariable = 'RELATA_TEST_SILENCE_MS';
/** Longer than any test with what it sets up. */
const silenceMs = 20 * 60_000;

// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its default export.
export default class CountReporter {
  /** Names of files that were begun and have not ended. */
  #running = new Set();
  #ended = [];
  #silence;

  onTestModuleQueued(module) {
    this.#running.add(module.relativeModuleId);
    this.#heard();
  }

  onTestCaseResult() {
    this.#heard();
  }

  onTestModuleEnd(module) {
    this.#running.delete(module.relativeModuleId);
    this.#ended.push(module);
    this.#heard();
  }

  onTestRunEnd(modules, unhandledErrors) {
    clearTimeout(this.#silence);
    writeCounts(modules, unhandledErrors);
  }

  #heard() {
    clearTimeout(this.#silence);
    const limit = Number(process.env[silenceVariable] ?? silenceMs);
    this.#silence = setTimeout(() => this.#giveUp(limit), limit);
    this.#silence.unref();
  }

  #giveUp(limit) {
    const reason = `nothing was heard of it for ${limit / 1000} s: its process is blocked, or does not end`;
    const blocked = [...this.#running].map((name) => ({ name, reason }));
    writeCounts(this.#ended, [], blocked.length > 0 ? blocked : [{ name: 'the end of the tests', reason }]);
    for (const { name } of blocked) console.error(`${name}: ${reason}`);
    // what is blocked does not hear that this process ends
    spawnSync('pkill', ['-KILL', '-P', String(process.pid)]);
    process.exit(1);
  }
}

function writeCounts(modules, unhandledErrors, failed = []) {
  const output = process.env[outputVariable];
  if (!output) throw new Error(`${outputVariable} must name the file to write`);
  const counts = { passed: 0, failed, skipped: [], flaky: [] };
  for (const error of unhandledErrors) counts.failed.push({ name: 'outside of every test', reason: lineOf([error]) });
  for (const module of modules) countModule(module, counts);
  writeFileSync(output, JSON.stringify(counts));
}

function countModule(module, counts) {
  const failed = [];
  for (const suite of module.children.allSuites()) {
    const errors = suite.errors();
    if (errors.length > 0)
      failed.push({ name: `${module.relativeModuleId} > ${suite.fullName}`, reason: lineOf(errors) });
  }
  for (const test of module.children.allTests()) {
    const result = test.result();
    const name = `${module.relativeModuleId} > ${test.fullName}`;
    if (test.diagnostic()?.flaky) counts.flaky.push({ name, reason: lineOf(result.errors) });
    if (result.state === 'passed') counts.passed += 1;
    else if (result.state === 'failed') failed.push({ name, reason: lineOf(result.errors) });
    else counts.skipped.push({ name, reason: reasonOf(test, result) });
  }
  // Errors of a file itself: no test or suite shows them.
  if (failed.length === 0 && module.state() === 'failed') {
    failed.push({ name: module.relativeModuleId, reason: lineOf(module.errors()) });
  }
  counts.failed.push(...failed);
}

/** The first line of the first error. */
function lineOf(errors) {
  return String(errors?.[0]?.message ?? 'no error given').split('\n')[0];
}

function reasonOf(test, result) {
  if (result.note) return result.note;
  if (test.options.mode === 'todo') return 'not written yet';
  return 'no reason given';
}
