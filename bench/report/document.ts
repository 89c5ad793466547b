import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ratioOf, verdictOf } from './line.ts';
import type { MeasuredLine, RunFacts } from './results-file.ts';
import { formatBaseline, formatNumber, formatRatio, formatTarget } from './table.ts';

interface Results extends RunFacts {
  readonly lines: readonly MeasuredLine[];
}

/** The lines of one suite, and the run that they are of. */
interface Part {
  readonly suite: string;
  readonly run: Results;
  readonly lines: readonly MeasuredLine[];
}

const HEADS = ['line', 'seen', 'beside', 'ratio', 'wanted', 'verdict'] as const;

/** Files of results as one Markdown document, suite by suite. Where two files have the same suite, the later one counts. */
export function documentOf(paths: readonly string[]): string {
  const parts = new Map<string, Part>();
  for (const path of paths) {
    const run = JSON.parse(readFileSync(path, 'utf8')) as Results;
    for (const line of run.lines) {
      if (line.suite === undefined) throw new Error(`${basename(path)} does not say of which suite its lines are`);
    }
    for (const suite of new Set(run.lines.map((line) => line.suite))) {
      parts.set(suite, { suite, run, lines: run.lines.filter((line) => line.suite === suite) });
    }
  }
  const all = [...parts.values()];
  const wanted = all.flatMap(({ lines }) => lines.map(verdictOf)).filter((verdict) => verdict !== '');
  const count = (verdict: string): number => wanted.filter((each) => each === verdict).length;
  return [
    '# Results',
    '',
    'Written by `npm run bench -- --document`. [README.md](README.md) says what each line measures, and',
    '[FINDINGS.md](FINDINGS.md) why lines miss.',
    '',
    `Of ${wanted.length} lines with a target, ${count('ok')} reach it, ${count('miss')} miss it, and ${count('void')} are void.`,
    ...all.flatMap(sectionOf),
    '',
  ].join('\n');
}

function sectionOf({ suite, run, lines }: Part): readonly string[] {
  const { machine, commit, date } = run;
  const day = new Date(date).toISOString().slice(0, 10);
  const voided = lines.flatMap(({ name, isVoid }) => (isVoid === undefined ? [] : [`- void: ${name}: ${isVoid}`]));
  return [
    '',
    `## ${suite}`,
    '',
    `${day}, commit ${commit}, Node.js ${machine.node}, ${machine.cores} cores (${machine.cpu}).`,
    '',
    ...markdownTable([HEADS, ...lines.map(cellsOf)]),
    ...(voided.length === 0 ? [] : ['', ...voided]),
  ];
}

function cellsOf(line: MeasuredLine): readonly string[] {
  return [
    line.name.replaceAll('|', '\\|'),
    `${formatNumber(line.value)} ${line.unit}`,
    formatBaseline(line),
    formatRatio(ratioOf(line)),
    formatTarget(line.target),
    verdictOf(line) || '-',
  ];
}

function markdownTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = HEADS.map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  const shown = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`,
  );
  shown.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return shown;
}
