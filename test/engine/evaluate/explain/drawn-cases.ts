import { describe, expect, it } from 'vitest';
import { type Explanation, parseTuple, type Store, type Tuple, type TupleCondition } from '../../../../engine/index.ts';
import { ScratchEngine } from '../../scratch-engine.ts';

export const DSL = `
model
  schema 1.1
type user
type team
  relations
    define member: [user, team#member]
type folder
  relations
    define parent: [folder]
    define viewer: [user, user:*, team#member, user with in_office, team#member with in_office] or viewer from parent
type doc
  relations
    define parent: [folder, folder with in_office]
    define banned: [user, team#member]
    define editor: [user, doc#viewer]
    define viewer: [user, team#member, user with in_office, team#member with in_office] or editor or viewer from parent
    define reader: viewer but not banned
    define both: viewer and editor
    define mixed: ([user] and editor) or (viewer but not banned)
type loop
  relations
    define next: [loop]
    define a: [user, loop#b] or a from next
    define b: [user, loop#a] or b from next
    define ok: [user] but not banned
    define banned: [user, loop#ok]
condition in_office(floor: int) {
  floor > 2
}
`;

export const NOW = 1_800_000_000_000;

/** The model's condition, with the floor where it is known. */
export function inOffice(floor?: number): TupleCondition {
  return { name: 'in_office', ...(floor !== undefined && { context: { floor } }) };
}

export interface Case {
  readonly name: string;
  /** `object#relation@subject`. */
  readonly question: string;
  readonly tuples: readonly (string | Tuple)[];
}

export interface DrawnCase extends Case {
  /** The explanation, a line for each node. */
  readonly expect: readonly string[];
}

export function tuplesOf({ tuples }: Pick<Case, 'tuples'>): Tuple[] {
  return tuples.map((tuple) => (typeof tuple === 'string' ? parseTuple(tuple) : tuple));
}

/** One line a node: what it says, indented by its depth. */
export function draw(node: Explanation, indent = ''): string[] {
  const { question, outcome, rule, tuple, condition } = node;
  const basis = [tuple, condition && `(${condition.name} ${condition.result})`].filter((part) => part !== undefined);
  const line = `${indent}${[question, outcome, 'by', rule, ...basis].join(' ')}`;
  return [line, ...(node.children ?? []).flatMap((child) => draw(child, `${indent}  `))];
}

/** Explains each case from contextual tuples alone, and from stored ones. */
export function describeCases(title: string, cases: readonly DrawnCase[]): void {
  describe.each(cases)(`${title}: $name`, (given) => {
    const question = { ...parseTuple(given.question), now: NOW };

    it('from contextual tuples', () =>
      withStore(async (store) => {
        expect(draw(store.explain({ ...question, contextualTuples: tuplesOf(given) }))).toEqual(given.expect);
      }));

    it('from stored tuples', () =>
      withStore(async (store) => {
        await store.write({ writes: tuplesOf(given) });
        // They come in the order of the index, which is not that of the case.
        expect(draw(store.explain(question)).toSorted()).toEqual(given.expect.toSorted());
      }));
  });
}

/** A store with the model, for one test. */
export async function withStore(task: (store: Store) => Promise<void>): Promise<void> {
  const scratch = await ScratchEngine.open();
  try {
    const store = await scratch.engine.createStore('main');
    await store.writeModel({ dsl: DSL });
    await task(store);
  } finally {
    await scratch.close();
  }
}
