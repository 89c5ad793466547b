import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Engine, Store } from '../../../engine/index.ts';
import type { ListPage } from '../../../engine/requests.ts';
import { formatTuple } from '../../../engine/tuple.ts';
import { seed } from '../../generated/seed.ts';
import { type Listing, listObjects, listSubjects } from '../oracle/lists.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { ScratchEngine } from '../scratch-engine.ts';
import { applyStep, applySuspension, type History, histories } from './generate/history.ts';
import { oracleOf, type Scenario } from './generate/scenario.ts';
import { applyScenario, suspend } from './verify/apply-scenario.ts';
import { inBatches } from './verify/in-batches.ts';

const HISTORIES = 200;

/** One list: how a page of it is read, and what it has to hold at one moment. */
interface List {
  readonly name: string;
  readonly read: (cursor: { cursor?: string }) => ListPage;
  readonly expected: (oracle: Oracle) => Listing;
}

describe('a list that is read page by page while the store changes', () => {
  let scratch: ScratchEngine;
  beforeAll(async () => {
    scratch = await ScratchEngine.open();
  });
  afterAll(() => scratch?.close());

  it('holds once what stayed throughout, and nothing that was never there', { timeout: 120_000 }, async () => {
    const play = async ({ start, steps }: History) => {
      const scenario = { ...start, contextualTuples: [] };
      const store = await applyScenario(scratch.engine, scenario);
      if (store !== undefined) await readWhileChanging(scratch.engine, store, scenario, steps);
    };
    await inBatches(histories(), play, { runs: HISTORIES, seed });
  });
});

/** A page of every list, a commit, the next pages, a commit, and so on. */
async function readWhileChanging(
  engine: Engine,
  store: Store,
  start: Scenario,
  steps: History['steps'],
): Promise<void> {
  let scenario = start;
  const stored = new Map([...scenario.strays, ...scenario.tuples].map((tuple) => [formatTuple(tuple), tuple]));
  const readings = listsOf(store, scenario).map((list) => new Reading(list));
  for (const step of [undefined, ...steps]) {
    // What follows a change of the model is written for the new one.
    if (step?.kind === 'model') break;
    if (step?.kind === 'suspension') {
      await suspend(engine, store, step.op, [step.subject]);
      scenario = applySuspension(step, scenario);
    } else if (step !== undefined) {
      await store.write({ writes: [...step.writes], deletes: [...step.deletes] });
      applyStep(step, stored);
    }
    const oracle = oracleOf(scenario, [...stored.values()]);
    for (const reading of readings) reading.turn(oracle);
  }
  for (const reading of readings) reading.finish();
}

function listsOf(store: Store, { model, subjects, context, now }: Scenario): List[] {
  const [subject = 'user:1'] = subjects;
  const shared = { context, now, limit: 2 };
  return [...model.types.values()].flatMap(({ name: type, relations }) =>
    [...relations.keys()].flatMap((relation): List[] => [
      {
        name: `objects ${type}#${relation}@${subject}`,
        read: (cursor) => store.listObjects({ ...shared, type, relation, subject, ...cursor }),
        expected: (oracle) => listObjects(oracle, type, relation, subject),
      },
      {
        name: `subjects ${type}:1#${relation}@user`,
        read: (cursor) =>
          store.listSubjects({ ...shared, object: `${type}:1`, relation, subjectType: 'user', ...cursor }),
        expected: (oracle) => listSubjects(oracle, `${type}:1`, relation, 'user'),
      },
    ]),
  );
}

/** A list on its way from the first page to the last. */
class Reading {
  readonly #list: List;
  readonly #seen = new Set<string>();
  #cursor: { cursor?: string } | undefined = {};
  #throughout: Set<string> | undefined;

  constructor(list: List) {
    this.#list = list;
  }

  /** Reads the next page, at the moment that the oracle knows. */
  turn(oracle: Oracle): void {
    if (this.#cursor === undefined) return;
    const { must, may } = this.#list.expected(oracle);
    const page = this.#list.read(this.#cursor);
    for (const item of [...page.items, ...page.conditional.map(({ item }) => item)]) {
      if (this.#seen.has(item)) throw new Error(`${this.#list.name} holds ${item} twice`);
      if (!may.has(item)) throw new Error(`${this.#list.name} holds ${item}`);
      this.#seen.add(item);
    }
    this.#throughout = new Set([...must.keys()].filter((item) => this.#throughout?.has(item) ?? true));
    this.#cursor = page.cursor === undefined ? undefined : { cursor: page.cursor };
    if (this.#cursor === undefined) this.#expectAll();
  }

  /** Reads what is left, now that nothing changes any more. */
  finish(): void {
    while (this.#cursor !== undefined) {
      const page: ListPage = this.#list.read(this.#cursor);
      for (const item of [...page.items, ...page.conditional.map(({ item }) => item)]) this.#seen.add(item);
      this.#cursor = page.cursor === undefined ? undefined : { cursor: page.cursor };
      if (this.#cursor === undefined) this.#expectAll();
    }
  }

  #expectAll(): void {
    for (const item of this.#throughout ?? []) {
      if (!this.#seen.has(item)) throw new Error(`${this.#list.name} lacks ${item}, which was there throughout`);
    }
  }
}
