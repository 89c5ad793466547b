import { EngineError, type Question, type Store } from '#engine';
import type { CheckTest, ListObjectsTest, ListUsersTest, StoreFileTest } from '../store-file/store-file.ts';

/** What became of one assertion. */
export interface AssertionResult {
  /** The question in one line. */
  readonly question: string;
  readonly isPassed: boolean;
  /** Expected and actual, where it failed. */
  readonly fault: string;
}

/** What was answered, to be compared as text. */
interface Answer {
  readonly text: string;
  /** What stands in the way of an answer: context that is missing, or an error of the engine. */
  readonly undecided?: string;
}

/** Asks all questions of a test, in the order of the file. */
export function* ask(store: Store, test: StoreFileTest, shared: Question): Generator<AssertionResult> {
  for (const each of test.check ?? []) yield* askChecks(store, each, shared);
  for (const each of test.list_objects ?? []) yield* askObjects(store, each, shared);
  for (const each of test.list_users ?? []) yield* askUsers(store, each, shared);
}

function* askChecks(store: Store, test: CheckTest, shared: Question): Generator<AssertionResult> {
  const question = withContext(shared, test.context);
  const subjects = [...(test.user === undefined ? [] : [test.user]), ...(test.users ?? [])];
  const objects = [...(test.object === undefined ? [] : [test.object]), ...(test.objects ?? [])];
  for (const subject of subjects) {
    for (const object of objects) {
      for (const [relation, expected] of Object.entries(test.assertions)) {
        yield compare(`check ${object}#${relation}@${subject}`, String(expected), () => {
          const decision = store.check({ ...question, object, relation, subject });
          if (decision.outcome !== 'conditional') return { text: String(decision.outcome === 'allowed') };
          return { text: 'undecided', undecided: `missing ${decision.missing.join(', ')}` };
        });
      }
    }
  }
}

function* askObjects(store: Store, test: ListObjectsTest, shared: Question): Generator<AssertionResult> {
  const question = withContext(shared, test.context);
  for (const [relation, expected] of Object.entries(test.assertions)) {
    yield compare(`list objects ${test.type}#${relation}@${test.user}`, listText(expected ?? []), () =>
      readAll((cursor) => store.listObjects({ ...question, type: test.type, relation, subject: test.user, ...cursor })),
    );
  }
}

function* askUsers(store: Store, test: ListUsersTest, shared: Question): Generator<AssertionResult> {
  const question = { ...withContext(shared, test.context), object: test.object };
  const filters = test.user_filter.map(
    ({ type, relation }) => `${type}${relation === undefined ? '' : `#${relation}`}`,
  );
  for (const [relation, { users }] of Object.entries(test.assertions)) {
    yield compare(`list users ${test.object}#${relation}@${filters.join('|')}`, listText(users ?? []), () => {
      const answers = test.user_filter.map(({ type: subjectType, relation: subjectRelation }) => {
        const userset = subjectRelation === undefined ? {} : { subjectRelation };
        return readItems((cursor) => store.listSubjects({ ...question, relation, subjectType, ...userset, ...cursor }));
      });
      return answerOf(
        answers.flatMap(({ items }) => items),
        answers.flatMap(({ conditional }) => conditional),
      );
    });
  }
}

function withContext(shared: Question, context: Question['context'] | null): Question {
  return context === undefined || context === null ? shared : { ...shared, context };
}

function compare(question: string, expected: string, answer: () => Answer): AssertionResult {
  const { text, undecided } = attempt(answer);
  if (undecided !== undefined)
    return { question, isPassed: false, fault: `expected ${expected}, got no answer: ${undecided}` };
  return { question, isPassed: text === expected, fault: text === expected ? '' : `expected ${expected}, got ${text}` };
}

function attempt(answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    if (error instanceof EngineError) return { text: 'error', undecided: error.message };
    throw error;
  }
}

type Page = ReturnType<Store['listObjects']>;
type Conditional = Page['conditional'][number];
interface Items {
  readonly items: readonly string[];
  readonly conditional: readonly Conditional[];
}

function readItems(page: (cursor: { cursor?: string }) => Page): Items {
  const items: string[] = [];
  const conditional: Conditional[] = [];
  for (let cursor: { cursor?: string } | undefined = {}; cursor !== undefined; ) {
    const found: Page = page(cursor);
    items.push(...found.items);
    conditional.push(...found.conditional);
    cursor = found.cursor === undefined ? undefined : { cursor: found.cursor };
  }
  return { items, conditional };
}

function readAll(page: (cursor: { cursor?: string }) => Page): Answer {
  const { items, conditional } = readItems(page);
  return answerOf(items, conditional);
}

function answerOf(items: readonly string[], conditional: readonly Conditional[]): Answer {
  const [first] = conditional;
  const text = listText(items);
  return first === undefined ? { text } : { text, undecided: `${first.item} needs ${first.missing.join(', ')}` };
}

/** Sets are compared without order. */
function listText(items: readonly string[]): string {
  return `[${[...new Set(items)].sort().join(', ')}]`;
}
