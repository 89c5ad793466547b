import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { documentOf } from './report/document.ts';
import { commitOf, thisMachine } from './report/machine.ts';
import { type MeasuredLine, writeResults } from './report/results-file.ts';
import { formatNumber, formatTable } from './report/table.ts';
import type { Suite } from './suites/suite.ts';
import type { SuiteMessage } from './suites/suite-process.ts';
import { suites } from './suites/suites.ts';

/** What a run leaves behind. */
export interface Results {
  /** 0 where every suite ran to its end, whether or not it met its targets. */
  readonly exitCode: number;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const resultsFolder = join(root, 'bench', 'results');

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    size: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    results: { type: 'string', default: resultsFolder },
    document: { type: 'string' },
  },
});

process.exitCode = options.list ? list() : options.document ? document(options.document) : (await run()).exitCode;

function list(): number {
  for (const { name, about } of suites) console.log(`${name.padEnd(12)} ${about}`);
  return 0;
}

/** Writes the given files of results as one document. */
function document(path: string): number {
  writeFileSync(path, documentOf(positionals));
  console.log(`Written to ${path}`);
  return 0;
}

function chosen(): readonly Suite[] {
  const pattern = new RegExp(options.only ?? '');
  return suites.filter(
    ({ name, size }) =>
      pattern.test(name) && (options.size === undefined || size === undefined || size === options.size),
  );
}

async function run(): Promise<Results> {
  const facts = { date: new Date(), commit: commitOf(root), machine: thisMachine(), options };
  if (facts.machine.loadBefore > facts.machine.cores / 2) {
    console.error(`The machine is busy (load ${formatNumber(facts.machine.loadBefore)}): the numbers will be too low.`);
  }
  const lines: MeasuredLine[] = [];
  const failed: string[] = [];
  for (const suite of chosen()) {
    console.error(`\n${suite.name}: ${suite.about}`);
    const code = await runSuite(suite, lines);
    if (code !== 0) failed.push(suite.name);
    writeResults(options.results, facts, lines); // what is measured is kept, whatever becomes of the rest
  }
  const { machine } = facts;
  console.log(`\n${formatTable(lines)}\n`);
  console.log(`${machine.cpu}, ${machine.cores} cores, Node.js ${machine.node}, commit ${facts.commit}`);
  console.log(`Written to ${writeResults(options.results, facts, lines)}`);
  for (const name of failed) console.error(`The suite ${name} did not come to its end.`);
  return { exitCode: failed.length === 0 ? 0 : 1 };
}

/** Runs a suite in a process of its own, so that neither its memory nor its compiled code is another one's. */
async function runSuite(suite: Suite, lines: MeasuredLine[]): Promise<number> {
  const profiles = join(options.results, 'profiles', suite.name);
  if (options.profile) mkdirSync(profiles, { recursive: true });
  const child = fork(
    fileURLToPath(new URL('./suites/suite-process.js', import.meta.url)),
    [suite.name, options.smoke ? 'smoke' : 'full'],
    { cwd: root, execArgv: options.profile ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : [] },
  );
  child.on('message', (message: SuiteMessage) => {
    if (message.kind === 'note') return console.error(`  ${message.text}`);
    lines.push({ suite: suite.name, ...message.line });
    const { name, value, unit, detail } = message.line;
    const hash = detail?.hash === undefined ? '' : `, results ${detail.hash}`;
    console.error(`  ${name}: ${formatNumber(value)} ${unit}${hash}`);
  });
  // An exit can be seen before the last message; the end of the channel cannot.
  const [[code]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  return typeof code === 'number' ? code : 1;
}
