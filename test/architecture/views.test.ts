import { describe, expect, it } from 'vitest';
import { readTree, repositoryRoot, type SourceFile } from './source-tree.ts';
import { predictedViews } from './view-rules.ts';

const sources = readTree(repositoryRoot, ['src'], /\.tsx?$/);

/** Whoever guesses a version or makes a view in a transaction, and why. */
const allowed = {
  'src/audit/export/export-runner.ts': 'the version that its own commit has made is what its next one rests on',
  'src/delivery/signals/transmitter/stream-changes.ts': 'compares what a receiver sends back with what it was shown',
  'src/directory/elevations/decide/decide-task.ts': 'compares the digest of what is decided with what was shown',
};

const file = (text: string, path = 'src/a/b.ts'): SourceFile[] => [{ path, text }];

describe('what an endpoint shows', () => {
  it('is read after the commit, except where the list says why not', () => {
    expect(predictedViews(sources, allowed)).toEqual([]);
  });

  it.each([
    'return { ...entry, version: entry.version + 1, document };',
    'const entry = { id, version: (before?.version ?? 0) + 1, document };',
    'const next: UserEntry = { id, version: version + 1, document };',
  ])('would be found where its version is guessed: %s', (text) => {
    expect(predictedViews(file(text), {})).toEqual(['src/a/b.ts: guesses the version that a record will have']);
    expect(predictedViews(file(text), { 'src/a/b.ts': 'a reason' })).toEqual([]);
    expect(predictedViews(file(text, 'src/kernel/a.ts'), {})).toEqual([]);
  });

  it.each([
    'await transact(a, caller, facts, (transaction) => {\n  put(transaction);\n  return view.of(store, next, family);\n});',
    'const a = { change: (transaction, { body }) => streamView(url, slug, createStream(transaction, body)) };',
    'function rotate(transaction: Transaction, id: string): object {\n  return { ...tokenView(store, next), token };\n}',
    'export function rotate(\n  { store }: Transaction<A>,\n  id: string,\n): object {\n  return { ...tokenView(store, next) };\n}',
  ])('would be found where it is made in a transaction: %s', (text) => {
    expect(predictedViews(file(text), {})).toEqual(['src/a/b.ts: makes a view in a transaction']);
    expect(predictedViews(file(text, 'src/kernel/a.ts'), {})).toHaveLength(1);
  });

  it('may be made beside a transaction', () => {
    const text =
      'const id = await transact(a, caller, facts, (transaction) => run(transaction, body));\nreturn roleView(store, id);';
    expect(predictedViews(file(text), {})).toEqual([]);
  });

  it('needs no entry that is no longer needed', () => {
    expect(predictedViews(file(''), { 'src/a/b.ts': 'a reason' })).toHaveLength(1);
  });
});
