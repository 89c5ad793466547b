import { counted } from '../progress.ts';
import type { FileResult, TestResult } from './run-tests.ts';

export interface Counts {
  readonly tests: number;
  readonly assertions: number;
  readonly failed: number;
}

export function countsOf(results: readonly FileResult[]): Counts {
  const tests = results.flatMap((result) => result.tests);
  const assertions = tests.flatMap((test) => test.assertions);
  return {
    tests: tests.length,
    assertions: assertions.length,
    failed: assertions.filter(({ isPassed }) => !isPassed).length,
  };
}

/** A file's result for people: what failed, and with `verbose` all that was asked. */
export function reportText(result: FileResult, verbose: boolean): string {
  const { tests, assertions, failed } = countsOf([result]);
  const verdict = failed === 0 ? 'passed' : 'FAILED';
  const lines = [
    `${verdict}  ${result.path} (${result.name}): ${counted(tests, 'test')}, ${counted(assertions, 'assertion')}, ${failed} failed`,
  ];
  for (const test of result.tests) {
    const isShown = verbose || test.assertions.some(({ isPassed }) => !isPassed);
    if (!isShown) continue;
    lines.push(`  ${test.name}`);
    for (const { question, isPassed, fault } of test.assertions) {
      if (isPassed && verbose) lines.push(`    ok      ${question}`);
      if (!isPassed) lines.push(`    FAILED  ${question}`, `            ${fault}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** JUnit XML as Jenkins and GitLab read it: a file is a suite, a test a class, an assertion a case. */
export function junitXml(results: readonly FileResult[]): string {
  const suites = results.map((result) => {
    const { assertions, failed } = countsOf([result]);
    const seconds = result.tests.reduce((sum, test) => sum + test.milliseconds, 0) / 1000;
    const head = `  <testsuite name="${escaped(result.path)}" tests="${assertions}" failures="${failed}" errors="0" skipped="0" time="${seconds.toFixed(3)}">`;
    return [head, ...result.tests.flatMap(testCases), '  </testsuite>'].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
}

function testCases(test: TestResult): string[] {
  const seconds = (test.milliseconds / 1000 / Math.max(test.assertions.length, 1)).toFixed(3);
  return test.assertions.map(({ question, isPassed, fault }) => {
    const open = `    <testcase classname="${escaped(test.name)}" name="${escaped(question)}" time="${seconds}"`;
    return isPassed ? `${open}/>` : `${open}>\n      <failure message="${escaped(fault)}"/>\n    </testcase>`;
  });
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 cannot carry at all are left out. */
function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  const printable = text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
  return printable.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
