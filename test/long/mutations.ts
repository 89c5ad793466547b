/**
 * Makes careless changes to what guards rights, tokens, factors and decisions, one at a time and in a copy of the
 * project, and prints those that no test notices:
 *
 *     npm run test:long mutations -- [--count 100] [--area NAME]... [--file PART] [--seed N]
 *
 * The changes are drawn by the seed, as many from each area. What hangs is noticed. The exit code is 1 where fewer than
 * nine of ten were.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { shuffle } from '../engine/shuffle.ts';
import { type Area, areas } from './mutations/areas.ts';
import { equivalents } from './mutations/equivalents.ts';
import { type Mutant, mutantsOf, mutate } from './mutations/mutants.ts';
import { root, ScratchTree } from './mutations/scratch-tree.ts';

const SHARE_MIN = 0.9;
/** What a run of tests may take, beside three times what it takes without a change. */
const PATIENCE_MS = 60_000;
const CLEAN_MS = 20 * 60_000;

interface Candidate extends Mutant {
  readonly file: string;
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    area: { type: 'string', multiple: true, default: areas.map(({ name }) => name) },
    file: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const chosen = areas.filter(({ name }) => values.area.includes(name));
const seed = Number(values.seed);
const tree = new ScratchTree();
process.once('exit', () => tree.remove());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const total = { made: 0, noticed: 0, equivalent: 0 };
for (const [place, area] of chosen.entries()) {
  await changeArea(area, Math.ceil((Number(values.count) - total.made) / (chosen.length - place)));
}
const share = total.made === 0 ? 1 : total.noticed / total.made;
console.log(
  `${total.made} changes, ${total.noticed} noticed (${Math.round(share * 100)} %), ` +
    `${total.equivalent} passed over that change nothing, seed ${seed}`,
);
process.exitCode = share < SHARE_MIN ? 1 : 0;

async function changeArea(area: Area, count: number): Promise<void> {
  const began = performance.now();
  const clean = await tree.run(area, CLEAN_MS);
  if (clean !== 'passed') throw new Error(`the tests of ${area.name} do not pass without a change: ${clean}`);
  const timeoutMs = PATIENCE_MS + 3 * (performance.now() - began);
  const tally = { made: 0, noticed: 0 };
  for (const candidate of shuffle(candidatesOf(area), seed)) {
    if (tally.made >= count) break;
    if (isEquivalent(candidate)) {
      total.equivalent++;
      continue;
    }
    const outcome = await outcomeOf(area, candidate, timeoutMs);
    // what is no program is no careless change
    if (outcome === 'unbuildable') continue;
    tally.made++;
    if (outcome !== 'passed') tally.noticed++;
    console.log(
      `${area.name} ${tally.noticed}/${tally.made} ${outcome === 'passed' ? 'SURVIVED' : outcome} ${described(candidate)}`,
    );
  }
  total.made += tally.made;
  total.noticed += tally.noticed;
}

async function outcomeOf(area: Area, candidate: Candidate, timeoutMs: number) {
  const source = tree.read(candidate.file);
  tree.write(candidate.file, mutate(source, candidate));
  try {
    return await tree.run(area, timeoutMs, candidate.file);
  } finally {
    tree.write(candidate.file, source);
  }
}

function candidatesOf(area: Area): Candidate[] {
  const files = area.sources.flatMap(filesOf).filter((file) => file.includes(values.file));
  return files.flatMap((file) => mutantsOf(file, tree.read(file)).map((mutant) => ({ file, ...mutant })));
}

function filesOf(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(path, name))
    .sort();
}

function isEquivalent(candidate: Candidate): boolean {
  const source = tree.read(candidate.file);
  const before = source.slice(candidate.start, candidate.end);
  const line = source.slice(source.lastIndexOf('\n', candidate.start) + 1).split('\n', 1)[0];
  return equivalents.some(
    (each) =>
      each.file === candidate.file &&
      (each.within === undefined || candidate.within.includes(each.within)) &&
      (each.line === undefined || each.line === line?.trim()) &&
      (each.before === undefined || each.before === before) &&
      (each.after === undefined || each.after === candidate.text),
  );
}

/** `src/kernel/rights/reach.ts:12 negated: a < b => !(a < b)` */
function described({ file, start, end, kind, text }: Candidate): string {
  const source = tree.read(file);
  const line = source.slice(0, start).split('\n').length;
  const flat = (part: string) => JSON.stringify(part.replace(/\s+/g, ' ').slice(0, 200));
  return `${file}:${line} ${kind}: ${flat(source.slice(start, end))} => ${flat(text)}`;
}
