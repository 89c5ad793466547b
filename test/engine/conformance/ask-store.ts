import type { Store } from '../../../engine/index.ts';
import type { ListPage, Question } from '../../../engine/requests.ts';
import { errorNumber } from './expectation.ts';
import { subjectFilters } from './filters.ts';
import type { Assertion, Expected } from './suite.ts';

/** Small, so that most lists take several pages. */
const PAGE = 2;

/** Puts an assertion's question to a store and says the answer in the suite's terms: conditional is its number 2000. */
export function askStore(store: Store, assertion: Assertion, shared: Question): Expected {
  try {
    switch (assertion.kind) {
      case 'check':
        return askCheck(store, assertion, shared);
      case 'list objects':
        return askListObjects(store, assertion, shared);
      case 'list users':
        return askListUsers(store, assertion, shared);
    }
  } catch (error) {
    return errorNumber(error, assertion.kind);
  }
}

/** The check that each item of a list must pass. */
export function itemCheck(assertion: Assertion, item: string) {
  const { relation } = assertion;
  if (assertion.kind === 'list users') return { object: assertion.object, relation, subject: item };
  return { object: item, relation, subject: assertion.subject };
}

function askCheck(store: Store, assertion: Assertion & { kind: 'check' }, shared: Question): Expected {
  const { object, relation, subject } = assertion;
  const { outcome } = store.check({ ...shared, object, relation, subject });
  return outcome === 'conditional' ? { code: 2000 } : { allowed: outcome === 'allowed' };
}

function askListObjects(store: Store, assertion: Assertion & { kind: 'list objects' }, shared: Question): Expected {
  const { type, relation, subject } = assertion;
  const { items, conditional } = readAll((cursor) =>
    store.listObjects({ ...shared, type, relation, subject, limit: PAGE, ...cursor }),
  );
  return conditional.length > 0 ? { code: 2000 } : { items };
}

/**
 * OpenFGA fails a list of users where any tuple on the way to them lacks context, whether or not it leads to a user who
 * was asked for. Here what such a tuple leads to is conditional under some filter.
 */
function askListUsers(store: Store, assertion: Assertion & { kind: 'list users' }, shared: Question): Expected {
  const { object, relation } = assertion;
  const list = (filter: string) => {
    const [subjectType = '', subjectRelation] = filter.split('#');
    const userset = subjectRelation === undefined ? {} : { subjectRelation };
    const request = { ...shared, object, relation, subjectType, ...userset, limit: PAGE };
    return readAll((cursor) => store.listSubjects({ ...request, ...cursor }));
  };
  const { items } = list(assertion.filter);
  const undecided = subjectFilters(store.model().model).some((filter) => list(filter).conditional.length > 0);
  return undecided ? { code: 2000 } : { items };
}

function readAll(read: (cursor: { cursor?: string }) => ListPage): Pick<ListPage, 'items' | 'conditional'> {
  const items: string[] = [];
  const conditional: ListPage['conditional'][number][] = [];
  let page = read({});
  for (;;) {
    items.push(...page.items);
    conditional.push(...page.conditional);
    if (page.cursor === undefined) return { items, conditional };
    page = read({ cursor: page.cursor });
  }
}
