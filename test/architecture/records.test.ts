import { describe, expect, it } from 'vitest';
import { modules, recordsOf } from '../../src/server/modules.ts';
import { recordKinds, recordLiterals } from './record-rules.ts';
import { readTree, repositoryRoot, type SourceFile } from './source-tree.ts';

const sources = readTree(repositoryRoot, ['src'], /\.tsx?$/);
const registered = recordsOf(modules).map(({ collection }) => collection);

const file = (text: string, path = 'src/a/b.ts'): SourceFile[] => [{ path, text }];

describe('records', () => {
  it('are written through their kinds alone', () => {
    expect(recordLiterals(sources, [])).toEqual([]);
  });

  it('are of kinds that all stand in the registry, each with a collection of its own', () => {
    expect(recordKinds(sources, registered)).toEqual([]);
  });

  it('would be found where they are written without a kind', () => {
    for (const text of [
      "changes.push({ op: 'put_record', store, record });",
      "const gone = { op: 'delete_record', ...place };",
      "return { op: 'append_record', store, collection, document };",
      "  require: 'record_version',",
      "[{ require: 'record_absent', ...place }]",
      "return { require: 'records_at_most', store, collection, max: 9 };",
    ]) {
      expect(recordLiterals(file(text), [])).toHaveLength(1);
      expect(recordLiterals(file(text), ['src/a/b.ts'])).toEqual([]);
      expect(recordLiterals(file(text, 'src/kernel/records/b.ts'), [])).toEqual([]);
    }
    expect(recordLiterals(file("if (change.op === 'put_record') return;"), [])).toEqual([]);
  });

  it('drop an entry that is no longer needed', () => {
    expect(recordLiterals(file(''), ['src/a/b.ts'])).toHaveLength(1);
    expect(recordLiterals([], ['src/a/b.ts'])).toHaveLength(1);
  });

  it.each<{ name: string; text: string; registered: string[]; breaches: number }>([
    { name: 'a kind in the registry', text: "defineRecord({ collection: 'a' })", registered: ['a'], breaches: 0 },
    { name: 'one of a type', text: "defineRecord<A | B>({\n  collection: 'a',", registered: ['a'], breaches: 0 },
    { name: 'one outside', text: "defineRecord({ collection: 'b' })", registered: ['a'], breaches: 1 },
    {
      name: 'one without a name of its own',
      text: 'defineRecord({ collection, schema })',
      registered: [],
      breaches: 1,
    },
    {
      name: 'two of one collection',
      text: "defineRecord({ collection: 'a' }); defineRecord({ collection: 'a' });",
      registered: ['a'],
      breaches: 1,
    },
    { name: 'a registry that has one twice', text: '', registered: ['a', 'a'], breaches: 1 },
  ])('are judged: $name', ({ text, registered: given, breaches }) => {
    expect(recordKinds(file(text), given)).toHaveLength(breaches);
  });
});
