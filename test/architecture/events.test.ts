import { describe, expect, it } from 'vitest';
import { eventsOf, modules } from '../../src/server/modules.ts';
import { eventLiterals, eventTypes } from './event-rules.ts';
import { readTree, repositoryRoot, type SourceFile } from './source-tree.ts';

const sources = readTree(repositoryRoot, ['src'], /\.tsx?$/);
const registered = eventsOf(modules).map(({ type }) => type);

const file = (text: string): SourceFile[] => [{ path: 'src/a/b.ts', text }];

describe('events', () => {
  it('are of types that all stand in the registry, each with a name of its own', () => {
    expect(eventTypes(sources, registered)).toEqual([]);
  });

  it('are made by their types alone', () => {
    expect(eventLiterals(sources)).toEqual([]);
  });

  it('would be found where they are made otherwise', () => {
    for (const text of [
      "return { type: 'a', data } as DomainEvent;",
      "emit({ type: 'a' } as unknown as DomainEvent);",
      'changes.push(eventRecords.append(store, event));',
    ]) {
      expect(eventLiterals(file(text))).toHaveLength(1);
    }
    expect(eventLiterals(file('const events: DomainEvent[] = [userCreated.of(data)];'))).toEqual([]);
  });

  it.each<{ name: string; text: string; registered: string[]; breaches: number }>([
    { name: 'a type in the registry', text: "defineEvent({ type: 'a.b' })", registered: ['a.b'], breaches: 0 },
    { name: 'one outside', text: "defineEvent({\n  type: 'a.b',", registered: ['a.c'], breaches: 1 },
    { name: 'one without a name of its own', text: 'defineEvent({ type, data })', registered: [], breaches: 1 },
    {
      name: 'two of one name',
      text: "defineEvent({ type: 'a' }); defineEvent({ type: 'a' });",
      registered: ['a'],
      breaches: 1,
    },
    { name: 'a registry that has one twice', text: '', registered: ['a', 'a'], breaches: 1 },
  ])('are judged: $name', ({ text, registered: given, breaches }) => {
    expect(eventTypes(file(text), given)).toHaveLength(breaches);
  });
});
