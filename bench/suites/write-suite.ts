import { cpSync, rmSync } from 'node:fs';
import type { Store, Tuple } from '#engine';
import type { Drive } from '../data/drive/drive.ts';
import { Random, SEED } from '../data/random.ts';
import { secondsSince } from '../measure/clock.ts';
import { flushBaseline } from '../measure/flush-baseline.ts';
import { percentile } from '../measure/percentile.ts';
import { atLeast, atMost } from '../report/line.ts';
import { dataFolder } from '../store/data-folder.ts';
import { bytesOnDisk } from '../store/import-data-set.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import { openStore } from '../store/opened-store.ts';
import { driveOf } from './drive-suite.ts';
import { type Bench, type Suite, unlessSmoke } from './suite.ts';

const CLIENTS = 64;
const SECONDS = 10;
const TUPLES_PER_COMMIT = 500;
const COMMITS_UNDER_WAY = 4;
/** So many tuples are written, and as many deleted, for each that was imported. */
const RANDOM_SHARE = 0.25;

/** Commits into a copy of the smaller drive, which is thrown away. */
export const writeSuite: Suite = {
  name: 'writes',
  about: 'commits of one tuple from 64 clients at once, and the size on disk after random writes',
  size: '1m',
  async run(bench) {
    const data = driveOf(bench, 1_000_000);
    const folder = scratchFolder('writes');
    cpSync(await dataFolder(data), folder, { recursive: true });
    try {
      await singleCommits(bench, data, folder);
      await randomWrites(bench, data, folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** Each client commits one new tuple, waits until it is durable, and commits the next. */
async function singleCommits(bench: Bench, data: Drive, folder: string): Promise<void> {
  const flush = flushBaseline(folder, bench.isSmoke ? 20 : 1_000);
  const { store, close } = await openStore(folder);
  const random = new Random(SEED + 70);
  const clients = async (seconds: number): Promise<{ readonly millis: number[]; readonly seconds: number }> => {
    const millis: number[] = [];
    const startedAt = process.hrtime.bigint();
    const client = async (): Promise<void> => {
      while (secondsSince(startedAt) < seconds) {
        const before = process.hrtime.bigint();
        const { tuplesChanged } = await store.write({ writes: [newViewer(data, random)] });
        // Now and then the tuple was there already, and nothing had to be kept.
        if (tuplesChanged === 1) millis.push(secondsSince(before) * 1000);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return { millis, seconds: secondsSince(startedAt) };
  };
  await clients(bench.isSmoke ? 0.1 : 2); // warm
  const revision = store.revision();
  const { millis, seconds } = await clients(bench.isSmoke ? 0.2 : SECONDS);
  if (store.revision() - revision !== millis.length) throw new Error('some commits have no revision');
  await close();
  const sorted = Float64Array.from(millis).sort();
  const rate = unlessSmoke(bench, atLeast(20_000));
  bench.line({
    name: `commits of one tuple, ${CLIENTS} clients, each durable`,
    value: millis.length / seconds,
    unit: 'commits/s',
    baseline: { name: 'fdatasync', value: flush.perSecond },
    ...(rate === undefined ? {} : { target: rate }),
    detail: { medianMillis: percentile(sorted, 0.5) },
  });
  const slowest = unlessSmoke(bench, atMost(10));
  bench.line({
    name: `commits of one tuple, ${CLIENTS} clients, p99`,
    value: percentile(sorted, 0.99),
    unit: 'ms',
    baseline: { name: 'fdatasync', value: flush.p99Millis },
    ...(slowest === undefined ? {} : { target: slowest }),
  });
}

/** Writes and deletes all over the key space, so that pages split and empty as they do in long use. */
async function randomWrites(bench: Bench, data: Drive, folder: string): Promise<void> {
  const before = bytesOnDisk(folder);
  const { engine, store, close } = await openStore(folder);
  const random = new Random(SEED + 71);
  const { tuples: stored } = store.stats();
  const commits = Math.ceil((stored * RANDOM_SHARE) / TUPLES_PER_COMMIT);
  bench.note(`${commits} random commits of ${TUPLES_PER_COMMIT} writes and as many deletes`);
  const underWay = new Set<Promise<unknown>>();
  const startedAt = process.hrtime.bigint();
  for (let commit = 0; commit < commits; commit++) {
    const written = send(store, data, random).finally(() => underWay.delete(written));
    underWay.add(written);
    while (underWay.size >= COMMITS_UNDER_WAY) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  const seconds = secondsSince(startedAt);
  const { tuples } = store.stats();
  if (engine.pending !== 0) throw new Error('commits are still under way');
  await close();
  const target = unlessSmoke(bench, atMost(200));
  bench.line({
    name: 'on disk after random writes',
    value: bytesOnDisk(folder) / tuples,
    unit: 'bytes/tuple',
    baseline: { name: 'before', value: before / stored },
    ...(target === undefined ? {} : { target }),
    detail: { tuples, written: commits * TUPLES_PER_COMMIT, deleted: commits * TUPLES_PER_COMMIT },
  });
  bench.line({
    name: `random writes and deletes, ${TUPLES_PER_COMMIT} of each a commit`,
    value: (2 * commits * TUPLES_PER_COMMIT) / seconds,
    unit: 'tuples/s',
  });
}

function send(store: Store, data: Drive, random: Random): Promise<unknown> {
  const times = <T>(make: () => T): T[] => Array.from({ length: TUPLES_PER_COMMIT }, make);
  return store.write({
    writes: times(() => newViewer(data, random)),
    deletes: times(() => {
      const document = random.below(data.shape.documents);
      return {
        object: `document:d${document}`,
        relation: 'owner',
        subject: `user:u${data.shape.documentOwners[document]}`,
      };
    }),
  });
}

function newViewer(data: Drive, random: Random): Tuple {
  const { documents, users } = data.shape;
  return {
    object: `document:d${random.below(documents)}`,
    relation: 'viewer',
    subject: `user:u${random.below(users)}`,
  };
}
