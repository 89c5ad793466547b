/**
 * A Vitest reporter that writes what `npm test` adds up: how many tests passed and failed, and each skipped test with
 * its reason, and each that passed at a later try. A file that fails before its first test, and an error outside of
 * every test, count as one failure each.
 */
import { writeFileSync } from 'node:fs';

const outputVariable = 'RELATA_TEST_COUNTS';

// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its default export.
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const output = process.env[outputVariable];
    if (!output) throw new Error(`${outputVariable} must name the file to write`);
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: [], flaky: [] };
    for (const module of modules) countModule(module, counts);
    writeFileSync(output, JSON.stringify(counts));
  }
}

function countModule(module, counts) {
  let failedTests = 0;
  for (const test of module.children.allTests()) {
    const result = test.result();
    if (test.diagnostic()?.flaky) counts.flaky.push(flakyOne(module, test, result));
    if (result.state === 'passed') counts.passed += 1;
    else if (result.state === 'failed') failedTests += 1;
    else counts.skipped.push({ name: `${module.relativeModuleId} > ${test.fullName}`, reason: reasonOf(test, result) });
  }
  counts.failed += failedTests;
  // Errors of a file or of a suite's hooks: no test shows them.
  if (failedTests === 0 && module.state() === 'failed') counts.failed += 1;
}

function flakyOne(module, test, result) {
  const reason = String(result.errors?.[0]?.message ?? 'no error given').split('\n')[0];
  return { name: `${module.relativeModuleId} > ${test.fullName}`, reason };
}

function reasonOf(test, result) {
  if (result.note) return result.note;
  if (test.options.mode === 'todo') return 'not written yet';
  return 'no reason given';
}
