import { isDeepStrictEqual } from 'node:util';
import type { Store } from '../../../../engine/index.ts';
import type { ListSubjectsRequest, SubjectsPage } from '../../../../engine/requests.ts';
import { knownObjects } from '../../oracle/edges.ts';
import type { Oracle } from '../../oracle/oracle.ts';
import type { Scenario } from '../generate/scenario.ts';
import { questionOf } from './apply-scenario.ts';
import { spread, targets } from './questions.ts';

/**
 * Lists the subjects of some relations together with whom an exclusion takes away, and why each is where it is. Excluded
 * is, beside a wildcard that is listed, exactly whom a check denies; suspended subjects are in no list. Whether the
 * wildcard is rightly listed is for the lists' own test: on a cycle that lacks context too, it may be.
 */
export function verifyExcluded(store: Store, scenario: Scenario, oracle: Oracle): void {
  const question = questionOf(scenario);
  spread(targets(oracle), 8).forEach(({ object, relation }, i) => {
    const name = `subjects of ${object}#${relation}`;
    const request = { ...question, object, relation, subjectType: 'user', limit: 1 + (i % 4) };
    const plain = pagesOf(store, request);
    const listed = pagesOf(store, { ...request, excluded: true });
    const explained = pagesOf(store, { ...request, excluded: true, explain: true });
    requireEqual(`${name}: items`, [listed.items, listed.conditional], [plain.items, plain.conditional]);
    const isOpen = [...plain.items, ...plain.conditional.map(({ item }) => item)].includes('user:*');
    requireExcluded(name, listed.excluded ?? [], { object, relation, isOpen }, scenario, oracle);
    requireEqual(`${name}: explained`, { ...explained, explanations: [] }, { ...listed, explanations: [] });
    requireExplained(store, request, explained);
  });
}

function requireExcluded(
  name: string,
  excluded: readonly string[],
  { object, relation, isOpen }: { readonly object: string; readonly relation: string; readonly isOpen: boolean },
  scenario: Scenario,
  oracle: Oracle,
): void {
  const outcome = (subject: string) => oracle.decide(object, relation, subject).outcome;
  const known = isOpen ? knownObjects(oracle.world, 'user', object) : [];
  const judged = known.filter((subject) => !scenario.suspended.includes(subject));
  const may = new Set(judged.filter((subject) => ['denied', 'cycle'].includes(outcome(subject))));
  for (const subject of excluded) if (!may.has(subject)) throw new Error(`${name} excludes ${subject}`);
  const lacking = judged.find((subject) => outcome(subject) === 'denied' && !excluded.includes(subject));
  if (lacking !== undefined) throw new Error(`${name} does not exclude ${lacking}`);
}

function requireExplained(store: Store, request: ListSubjectsRequest, page: SubjectsPage): void {
  const { object, relation, subjectType: _, limit: __, ...question } = request;
  const subjects = [...page.items, ...page.conditional.map(({ item }) => item), ...(page.excluded ?? [])];
  const explanations = new Map(page.explanations?.map(({ item, explanation }) => [item, explanation]));
  requireEqual('explained subjects', [...explanations.keys()].toSorted(), subjects.toSorted());
  for (const subject of subjects) {
    const expected = store.explain({ ...question, object, relation, subject });
    requireEqual(`why ${subject}`, explanations.get(subject), expected);
  }
}

/** All pages in one, each within its limit. */
function pagesOf(store: Store, request: ListSubjectsRequest): SubjectsPage {
  const pages: SubjectsPage[] = [];
  for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; cursor = pages.at(-1)?.cursor) {
    const page = store.listSubjects({ ...request, cursor });
    const size = page.items.length + page.conditional.length + (page.excluded?.length ?? 0);
    if (size > (request.limit ?? 0)) throw new Error(`a page of ${size} is longer than ${request.limit}`);
    pages.push(page);
  }
  return {
    items: pages.flatMap(({ items }) => items),
    conditional: pages.flatMap(({ conditional }) => conditional),
    excluded: pages.flatMap(({ excluded = [] }) => excluded),
    explanations: pages.flatMap(({ explanations = [] }) => explanations),
  };
}

function requireEqual(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: ${JSON.stringify(found)}, should be ${JSON.stringify(expected)}`);
}
