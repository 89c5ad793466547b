import { describe, expect, it } from 'vitest';
import { writesPastCommit } from './commit-rules.ts';
import { readTree, repositoryRoot, type SourceFile } from './source-tree.ts';

const sources = readTree(repositoryRoot, ['src'], /\.tsx?$/);

/** Whoever writes past `commit`, and why. */
const allowed = {
  'src/access/decisions/zanzibar/write-model.ts': 'the engine gives a model its version, and refuses what does not fit',
  'src/access/decisions/zanzibar/write-tuples.ts':
    'the engine judges tuples by the model, and a precondition of the caller that fails is an answer, not a race',
  'src/cli/import/import-run.ts': 'millions of packed tuples, with a checkpoint, into a store that nobody else writes',
  'src/cli/model/run-tests.ts': 'a store in memory, for one test file',
  'src/cli/target.ts': 'a store outside any organization is made, or gets its model',
  'src/directory/organizations/organizations.ts': "the platform's own store is made, once",
  'src/server/writer/store-watch.ts': 'asks the writer where nothing can be read, which is where `commit` begins',
  'src/server/demo/demo.ts': 'the model and tuples of the demonstration, before anything is served',
};

const file = (text: string, path = 'src/a/b.ts'): SourceFile[] => [{ path, text }];

describe('stores', () => {
  it('are written by one path, except where the list says why not', () => {
    expect(writesPastCommit(sources, allowed)).toEqual([]);
  });

  it.each([
    'await engine.submit(engine.command(changes));',
    'await this.#engine.submit(\n  this.#engine.command(changes),\n);',
    "const store = await engine.createStore('a');",
    "await engine.deleteStore('a');",
    'await store.write({ writes });',
    'await caller.organization.store.writePreparedModel(source, prepared);',
    'await store.writeModel({ dsl });',
    'return settleRaces(async () => {});',
  ])('would be found where somebody writes by themselves: %s', (text) => {
    expect(writesPastCommit(file(text), {})).toHaveLength(1);
    expect(writesPastCommit(file(text), { 'src/a/b.ts': 'a reason' })).toEqual([]);
    expect(writesPastCommit(file(text, 'src/kernel/commits/commit.ts'), {})).toEqual([]);
  });

  it('are not what a form or a stream is', () => {
    expect(writesPastCommit(file("form.submit(); output.write('a');"), {})).toEqual([]);
  });

  it('drop an entry that is no longer needed', () => {
    expect(writesPastCommit(file(''), { 'src/a/b.ts': 'a reason' })).toHaveLength(1);
  });
});
