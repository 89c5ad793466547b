import type { Store } from '#engine';
import type { Drive } from '../data/drive/drive.ts';
import { Random, SEED } from '../data/random.ts';
import { secondsSince, turn } from '../measure/clock.ts';
import { type LmdbBaseline, lmdbBaseline } from '../measure/lmdb-baseline.ts';
import { percentile } from '../measure/percentile.ts';
import { atLeast, atMost } from '../report/line.ts';
import { dataFolder } from '../store/data-folder.ts';
import { openStore } from '../store/opened-store.ts';
import { driveOf } from './drive-suite.ts';
import { type Bench, type Suite, unlessSmoke } from './suite.ts';

const PAGE = 1_000;
const PAGE_MAX = 10_000;
const SUBJECTS = 100;

/** Lists over the larger drive. */
export const listSuite: Suite = {
  name: 'lists',
  about: 'objects of a subject and subjects of an object, out of 10,000,000 tuples',
  size: '10m',
  async run(bench) {
    const data = driveOf(bench, 10_000_000);
    const folder = await dataFolder(data);
    const lmdb = await lmdbBaseline(folder);
    const { store, close } = await openStore(folder);
    await firstPages(bench, store, data, lmdb);
    await everything(bench, store, data, lmdb);
    await subjects(bench, store, data, lmdb);
    await close();
  },
};

/** The first page of users who have more than one, each asked for the first time: nothing of theirs is cached. */
async function firstPages(bench: Bench, store: Store, data: Drive, lmdb: LmdbBaseline): Promise<void> {
  const wanted = bench.isSmoke ? 3 : SUBJECTS;
  const limit = bench.isSmoke ? 10 : PAGE;
  const random = new Random(SEED + 60);
  const millis: number[] = [];
  for (let tries = 0; millis.length < wanted && tries < wanted * 1_000; tries++) {
    const user = random.below(data.shape.users);
    const startedAt = process.hrtime.bigint();
    const page = store.listObjects({ type: 'document', relation: 'can_view', subject: `user:u${user}`, limit });
    const seconds = secondsSince(startedAt);
    await turn();
    requireViewable(data, page.items, user);
    // The first ones show the compiler what it will have to do.
    if (tries >= wanted && page.items.length === limit) millis.push(seconds * 1000);
  }
  if (millis.length < wanted) throw new Error(`too few users can view ${limit} documents`);
  const sorted = Float64Array.from(millis).sort();
  bench.line({
    name: `list objects, first page of ${limit}, median`,
    value: percentile(sorted, 0.5),
    unit: 'ms',
    baseline: { name: 'lmdb walk', value: (limit / lmdb.scannedPerSecond) * 1000 },
    ...targeted(unlessSmoke(bench, atMost(5))),
    detail: { p99Millis: percentile(sorted, 0.99), subjects: millis.length },
  });
}

/** All that the auditor can view, page by page. */
async function everything(bench: Bench, store: Store, data: Drive, lmdb: LmdbBaseline): Promise<void> {
  const { auditor } = data.shape;
  const expected = data.access.viewable(auditor).length;
  const cases = [
    { limit: PAGE_MAX, target: unlessSmoke(bench, atLeast(250_000)) },
    { limit: PAGE, target: undefined },
  ];
  for (const { limit, target } of cases) {
    const startedAt = process.hrtime.bigint();
    const found = await allPages(store, `user:u${auditor}`, limit);
    const seconds = secondsSince(startedAt);
    requireViewable(data, found, auditor);
    if (found.length !== expected) throw new Error(`${found.length} of ${expected} documents were listed`);
    bench.line({
      name: `list objects, all of ${expected.toLocaleString('en-US')}, ${limit} a page`,
      value: found.length / seconds,
      unit: 'results/s',
      baseline: { name: 'lmdb walk', value: lmdb.scannedPerSecond },
      ...targeted(target),
    });
  }
}

async function allPages(store: Store, subject: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = store.listObjects({
      type: 'document',
      relation: 'can_view',
      subject,
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const item of page.items) found.push(item);
    cursor = page.cursor;
    await turn();
  } while (cursor !== undefined);
  return found;
}

/** Everybody who can view a document, through groups and folders; each list is a page. */
async function subjects(bench: Bench, store: Store, data: Drive, lmdb: LmdbBaseline): Promise<void> {
  const random = new Random(SEED + 61);
  const rounds = bench.isSmoke ? 20 : 2_000;
  const millis = new Float64Array(rounds);
  let listed = 0;
  for (let round = 0; round < rounds; round++) {
    const document = random.below(data.shape.documents);
    const startedAt = process.hrtime.bigint();
    const { items } = store.listSubjects({
      object: `document:d${document}`,
      relation: 'can_view',
      subjectType: 'user',
      limit: PAGE_MAX,
    });
    millis[round] = secondsSince(startedAt) * 1000;
    listed += items.length;
    await turn();
    requireViewers(data, items, document);
  }
  const seconds = millis.reduce((sum, each) => sum + each, 0) / 1000;
  millis.sort();
  bench.line({
    name: 'list subjects of a document',
    value: listed / seconds,
    unit: 'results/s',
    baseline: { name: 'lmdb walk', value: lmdb.scannedPerSecond },
    detail: {
      medianMillis: percentile(millis, 0.5),
      p99Millis: percentile(millis, 0.99),
      perDocument: listed / rounds,
    },
  });
}

function requireViewable(data: Drive, items: readonly string[], user: number): void {
  const isRight = items.every((item) => data.access.canView(Number(item.slice('document:d'.length)), user));
  if (!isRight || new Set(items).size !== items.length) throw new Error(`the list of user ${user} is wrong`);
}

function requireViewers(data: Drive, items: readonly string[], document: number): void {
  const isRight = items.every((item) => data.access.canView(document, Number(item.slice('user:u'.length))));
  if (!isRight || new Set(items).size !== items.length) throw new Error(`the list of document ${document} is wrong`);
}

/** An absent property and one that is undefined are two things to the type of a line. */
function targeted<T>(target: T | undefined): { readonly target?: T } {
  return target === undefined ? {} : { target };
}
