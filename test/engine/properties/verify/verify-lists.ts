import type { Store } from '../../../../engine/index.ts';
import type { ListPage } from '../../../../engine/requests.ts';
import { subjectFilters } from '../../conformance/filters.ts';
import { type Listing, listObjects, listSubjects } from '../../oracle/lists.ts';
import type { Oracle } from '../../oracle/oracle.ts';
import type { Scenario } from '../generate/scenario.ts';
import { questionOf } from './apply-scenario.ts';
import { relationsOf, spread, type Target, targets } from './questions.ts';
import { agrees, printVerdict } from './verify-check.ts';

type Listed = ReadonlyMap<string, { readonly outcome: 'allowed' } | ListPage['conditional'][number]>;

/**
 * Lists the objects of every relation for two of the scenario's subjects, and compares with the filter by check. Pages
 * are very small unless a size is given.
 */
export function verifyListObjects(store: Store, scenario: Scenario, oracle: Oracle, page?: number): void {
  const question = questionOf(scenario);
  relationsOf(scenario.model).forEach(({ type, relation }, i) => {
    for (const subject of spread(scenario.subjects, 2)) {
      const request = { ...question, type, relation, subject, limit: page ?? 1 + (i % 4) };
      const listed = readPages((cursor) => store.listObjects({ ...request, ...cursor }), request.limit);
      const expected = listObjects(oracle, type, relation, subject);
      compare(`list objects ${type}#${relation}@${subject}`, listed, expected);
    }
  });
}

/** Lists the subjects of some objects and relations under every filter, and compares with what they must and may hold. */
export function verifyListSubjects(store: Store, scenario: Scenario, oracle: Oracle): void {
  const filters = ['user', ...spread(subjectFilters(scenario.model), 4)];
  verifySubjectsOf(store, scenario, oracle, { targets: spread(targets(oracle), 6), filters });
}

interface Asked {
  readonly targets: readonly Target[];
  readonly filters: readonly string[];
  /** The size of a page; very small where absent. */
  readonly page?: number;
}

export function verifySubjectsOf(store: Store, scenario: Scenario, oracle: Oracle, asked: Asked): void {
  const question = questionOf(scenario);
  const { filters, page } = asked;
  asked.targets.forEach(({ object, relation }, i) => {
    for (const filter of filters) {
      const [subjectType = '', subjectRelation] = filter.split('#');
      const userset = subjectRelation === undefined ? {} : { subjectRelation };
      const request = { ...question, object, relation, subjectType, ...userset, limit: page ?? 1 + (i % 4) };
      const listed = readPages((cursor) => store.listSubjects({ ...request, ...cursor }), request.limit);
      const expected = listSubjects(oracle, object, relation, subjectType, subjectRelation);
      compare(`list subjects ${object}#${relation}@${filter}`, listed, expected);
    }
  });
}

/** All pages of a list. Throws where an item comes twice or a page is longer than its limit. */
export function readPages(read: (cursor: { cursor?: string }) => ListPage, limit: number): Listed {
  const listed = new Map<string, { outcome: 'allowed' } | ListPage['conditional'][number]>();
  const add = (item: string, answer: { outcome: 'allowed' } | ListPage['conditional'][number]) => {
    if (listed.has(item)) throw new Error(`${item} is listed twice`);
    listed.set(item, answer);
  };
  for (let cursor: { cursor?: string } | undefined = {}; cursor !== undefined; ) {
    const page = read(cursor);
    if (page.items.length + page.conditional.length > limit) throw new Error(`a page is longer than ${limit}`);
    for (const item of page.items) add(item, { outcome: 'allowed' });
    for (const conditional of page.conditional) add(conditional.item, conditional);
    cursor = page.cursor === undefined ? undefined : { cursor: page.cursor };
  }
  return listed;
}

function compare(list: string, listed: Listed, { must, may }: Listing): void {
  for (const [item, answer] of listed) {
    const expected = may.get(item);
    if (expected === undefined) throw new Error(`${list} holds ${item}`);
    const decision = 'item' in answer ? { outcome: 'conditional' as const, missing: answer.missing } : answer;
    if (!agrees(decision, expected)) {
      throw new Error(`${list} holds ${item} as ${decision.outcome}, should be ${printVerdict(expected)}`);
    }
  }
  for (const [item, expected] of must) {
    if (!listed.has(item)) throw new Error(`${list} lacks ${item}, ${printVerdict(expected)}`);
  }
}
