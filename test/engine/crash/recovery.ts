import { Engine } from '../../../engine/engine.ts';
import type { Store } from '../../../engine/open-store.ts';
import { sequenceId } from '../../../engine/store/records/sequence-id.ts';
import { verifyStore } from '../../../engine/store/verify/verify.ts';
import { formatTuple, type Tuple } from '../../../engine/tuple.ts';
import type { Progress } from './start-child.ts';
import { isPoisoned, JOURNAL, NOTES, planCommit, readCommitId, STORE } from './workload.ts';

const PAGE = 10_000;
const COLLECTIONS = ['notes', 'counters', JOURNAL];

/** What is found in a folder that a crash left behind. */
export interface Recovery {
  /** Commits that the change log tells of. */
  readonly commits: number;
  readonly tuples: number;
  /** Commits that are there and were not acknowledged: they were on their way, or their answer was. */
  readonly unanswered: number;
  /** Acknowledged commits that are not there. */
  readonly lost: readonly string[];
  /** Everything else that is not as it must be, in words; the first few of each kind. */
  readonly problems: readonly string[];
}

/**
 * Opens the data and compares it with what the commits in its log say, which is what the names of the commits say: all
 * of every commit must be there, nothing of any other, in both indexes, the records and the log alike.
 */
export async function inspectRecovery(path: string, { acknowledged, seen }: Progress): Promise<Recovery> {
  const report = await verifyStore(path);
  const engine = await Engine.open({ path });
  try {
    const store = engine.store(STORE);
    const expected = new Expected();
    const problems = [...report.problems, ...replayLog(store, expected)];
    if (report.revision < seen) problems.push(`a read saw revision ${seen}, and ${report.revision} is there`);
    problems.push(...differences('tuple', expected.tuples, storedTuples(store)));
    const records = storedRecords(store);
    problems.push(...differences('record', expected.records, records), ...wronglyListed(store, records));
    const lost = acknowledged.filter((id) => !expected.commits.has(id));
    const unanswered = expected.commits.size - (acknowledged.length - lost.length);
    return { commits: expected.commits.size, tuples: report.tuples, unanswered, lost, problems };
  } finally {
    await engine.close();
  }
}

/** What commits amount to, one after the other. */
class Expected {
  readonly commits = new Set<string>();
  readonly tuples = new Map<string, string>();
  readonly records = new Map<string, string>();
  readonly #versions = new Map<string, number>();

  /** Answers what the log should say of the commit's tuples. */
  apply(id: string): string[] {
    const name = readCommitId(id);
    if (name === undefined) return [];
    this.commits.add(id);
    const { writes, deletes, puts, drops } = planCommit(name);
    // What a refused commit would have written is not there to be deleted.
    const deleted = deletes.filter((tuple) => this.tuples.delete(formatTuple(tuple)));
    for (const tuple of writes) this.tuples.set(formatTuple(tuple), JSON.stringify(qualifierOf(tuple)));
    for (const { collection, id: key, document } of puts) {
      const version = (this.#versions.get(`${collection}/${key}`) ?? 0) + 1;
      this.#versions.set(`${collection}/${key}`, version);
      this.records.set(`${collection}/${key}`, JSON.stringify([version, document]));
    }
    this.records.set(`${JOURNAL}/${sequenceId(this.commits.size)}`, JSON.stringify([1, { id }]));
    for (const key of drops) this.records.delete(`notes/${key}`);
    return [
      ...writes.map((tuple) => `write ${formatTuple(tuple)} ${JSON.stringify(qualifierOf(tuple))}`),
      ...deleted.map((tuple) => `delete ${formatTuple(tuple)} {}`),
    ];
  }
}

/** Applies every commit of the log, and looks for gaps between the commits of each writer. */
function replayLog(store: Store, expected: Expected): string[] {
  const problems: string[] = [];
  const next = new Map<string, number>();
  for (let after = 0; after < store.revision(); ) {
    const page = store.changes(after, PAGE);
    after = page.revision;
    for (const { id, tuples } of page.changes) {
      const name = readCommitId(id);
      if (name === undefined) continue;
      const logged = tuples.map(({ op, tuple }) => `${op} ${formatTuple(tuple)} ${JSON.stringify(qualifierOf(tuple))}`);
      const wanted = expected.apply(id);
      if (logged.toSorted().join() !== wanted.toSorted().join()) problems.push(`the log of ${id}: ${logged.join()}`);
      const writer = `${name.round}-${name.writer}`;
      const due = nextNumber(name.round, name.writer, next.get(writer) ?? 0);
      if (name.number !== due) problems.push(`${id} follows where ${due} should`);
      next.set(writer, name.number + 1);
    }
  }
  return problems.slice(0, 20);
}

function nextNumber(round: number, writer: number, from: number): number {
  let number = from;
  while (isPoisoned({ round, writer, number })) number++;
  return number;
}

function storedTuples(store: Store): Map<string, string> {
  const found = new Map<string, string>();
  for (let cursor: string | undefined; ; ) {
    const page = store.readTuples({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    for (const tuple of page.tuples) found.set(formatTuple(tuple), JSON.stringify(qualifierOf(tuple)));
    if (page.cursor === undefined) return found;
    cursor = page.cursor;
  }
}

function storedRecords(store: Store): Map<string, string> {
  const found = new Map<string, string>();
  for (const collection of COLLECTIONS) {
    for (let after: string | undefined; ; ) {
      const page = store.records.list(collection, after === undefined ? {} : { after });
      for (const { id, version, document } of page) {
        found.set(`${collection}/${id}`, JSON.stringify([version, document]));
      }
      after = page.at(-1)?.id;
      if (after === undefined) break;
    }
  }
  return found;
}

/** Notes in each order, and those that a search finds, are the notes that there are. */
function wronglyListed(store: Store, records: ReadonlyMap<string, string>): string[] {
  const listing = store.records.listing(NOTES);
  if (!listing.isWhole) return ['the listing of notes is not whole'];
  const prefix = 'notes/';
  const notes = [...records.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  const wanted = notes.toSorted().join();
  const asked = [...NOTES.orders.map(({ name }) => ({ order: name })), { search: 'WRITER ' }, { search: 'round' }];
  return asked.flatMap((query) => {
    const { ids } = listing.page({ ...query, offset: 0, limit: notes.length + 1 });
    return ids.toSorted().join() === wanted
      ? []
      : [`notes listed by ${JSON.stringify(query)}: ${ids.length} of ${notes.length}`];
  });
}

function qualifierOf({ condition, expiresAt }: Tuple): Pick<Tuple, 'condition' | 'expiresAt'> {
  return { ...(condition === undefined ? {} : { condition }), ...(expiresAt === undefined ? {} : { expiresAt }) };
}

function differences(what: string, expected: Map<string, string>, found: Map<string, string>): string[] {
  const problems: string[] = [];
  for (const [key, value] of expected) {
    if (found.get(key) !== value) problems.push(`${what} ${key}: ${found.get(key)} instead of ${value}`);
  }
  for (const key of found.keys()) if (!expected.has(key)) problems.push(`${what} ${key} belongs to no commit`);
  return problems.slice(0, 20);
}
