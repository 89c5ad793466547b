/**
 * What OpenFGA's own compiler makes of conditions, beside ours:
 *
 *     npm run test:long conditions [expressions = 20000] [seed]
 *
 * It builds `conditions/openfga` with Go, asks it about every row of the tables of test/engine/condition/openfga and
 * about generated expressions, and prints each on which the two differ and which the document on conditions does not
 * name. The exit code is 1 where there is one.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../engine/condition/index.ts';
import { collections } from '../engine/condition/openfga/collections.ts';
import { conversions } from '../engine/condition/openfga/conversions.ts';
import { different } from '../engine/condition/openfga/different.ts';
import { literals } from '../engine/condition/openfga/literals.ts';
import { nulls } from '../engine/condition/openfga/nulls.ts';
import type { Row, Verdict } from '../engine/condition/openfga/table.ts';
import { times } from '../engine/condition/openfga/times.ts';
import { verdictOf } from '../engine/condition/openfga/verdict-of.ts';
import { wider } from '../engine/condition/openfga/wider.ts';
import { randomNumbers } from '../engine/shuffle.ts';
import { CONTEXTS, PARAMETERS, randomExpression } from './conditions/random-expression.ts';

const OUTPUT_MAX = 2 ** 28;
const DEPTHS = [1, 2, 2, 3, 3, 4];

interface Asked {
  readonly row: Row;
  /** Of a row of a table; ours is looked at otherwise. */
  readonly openFga?: Verdict;
}

interface Judged {
  readonly verdict: Verdict;
  readonly message: string;
}

/** Differences that the document names, by what the two say. */
const NAMED: readonly ((openFga: Judged, ours: Verdict, expression: string) => boolean)[] = [
  ({ message }) => message.includes('cannot be range of a comprehension'),
  ({ message }) => /overload for '_[<>]=?_' applied to '\((int|uint|double), (int|uint|double)\)'/.test(message),
  ({ message }) =>
    /reference to undefined type|invalid qualifier type|failed to evaluate.*no such overload/.test(message),
  // keys of maps that are none here
  ({ verdict }, ours, expression) => ours === 'fails' && typeof verdict === 'boolean' && expression.includes('{'),
  ({ verdict }, ours, expression) => ours === 'fails' && verdict === 'fails' && expression.includes('{'),
];

const count = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}`);

const tables: Asked[] = [
  ...[literals, nulls, conversions, times, collections].flat().map((row) => ({ row, openFga: row[1] })),
  ...wider.map((row) => ({ row, openFga: 'refused' as const })),
  ...different.map(([openFga, row]) => ({ row, openFga })),
];
const asked = [...tables, ...generated()];
const judged = askOpenFga(asked.map(({ row }) => row));
let differences = 0;
for (const [at, { row, openFga }] of asked.entries()) {
  const theirs = judged[at] as Judged;
  const ours = openFga ?? verdictOf(row);
  if (theirs.verdict === ours || (openFga === undefined && NAMED.some((is) => is(theirs, ours, row[0])))) continue;
  differences += 1;
  console.log(`${row[0]}\n  ${JSON.stringify(row[3] ?? {})}\n  ${ours}; OpenFGA: ${theirs.verdict} ${theirs.message}`);
}
console.log(`${tables.length} rows and ${asked.length - tables.length} expressions, ${differences} differences`);
process.exitCode = differences === 0 ? 0 : 1;

function generated(): Asked[] {
  const next = randomNumbers(seed);
  const random = (): number => next() / 2 ** 32;
  return Array.from({ length: count }, () => {
    const expression = randomExpression(random, DEPTHS[Math.floor(random() * DEPTHS.length)] as number);
    const context = CONTEXTS[Math.floor(random() * CONTEXTS.length)] as Context;
    const names = Object.keys(PARAMETERS).filter((name) =>
      new RegExp(`(?<![\\w."'])${name}\\b(?!["'])`).test(expression),
    );
    const parameters = Object.fromEntries(names.map((name) => [name, PARAMETERS[name] as string]));
    const given = Object.fromEntries(names.map((name) => [name, context[name]]));
    return { row: [expression, false, parameters, given] };
  });
}

function askOpenFga(rows: readonly Row[]): Judged[] {
  const folder = mkdtempSync(join(tmpdir(), 'relata-openfga-'));
  try {
    cpSync('test/long/conditions/openfga', folder, { recursive: true });
    const options = { cwd: folder, env: { ...process.env, GOFLAGS: '-mod=mod' }, maxBuffer: OUTPUT_MAX } as const;
    execFileSync('go', ['build', '-o', 'conditions', '.'], { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
    const input = rows
      .map(([Expression, , Parameters = {}, Given = {}]) => `${JSON.stringify({ Expression, Parameters, Given })}\n`)
      .join('');
    const answers = execFileSync(join(folder, 'conditions'), { ...options, input }).toString();
    return answers
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
