import type { CountingDefinition, Engine, ListingProgress } from '#engine';
import { steppedJob } from '../kernel/modules/index.ts';
import type { AnyRecordKind } from '../kernel/records/index.ts';
import type { Log } from '../platform/index.ts';

/** Records of one commit. The writer is held up for so long, and answers others between two of them. */
const RECORDS = 50;
/** Commits of one step. */
const COMMITS = 5;
/** The log is told after each tenth. */
const PARTS = 10;

/** What `/readyz` says of each, and what the log is told before, meanwhile and at the end. */
const works = {
  records: {
    tells: 'building',
    begins: 'lists are built in the store: until then they are answered from memory, and slower',
    goesOn: 'lists are being built in the store',
    ends: 'all lists are kept in the store now',
  },
  zones: {
    tells: 'bringing to this release',
    begins: 'lists are brought to this release: until then some pages take longer',
    goesOn: 'lists are being brought to this release',
    ends: 'all lists are as this release keeps them',
  },
  counts: {
    tells: 'counting',
    begins: 'what stands in sessions, tokens and logs is being counted: until then deep pages of them take longer',
    goesOn: 'what stands in sessions, tokens and logs is being counted',
    ends: 'all sessions, tokens and logs are counted now',
  },
} as const;

/** Tells the writer how the store lists records. Organizations of another release are listed by the job below. */
export async function defineListings(engine: Engine, kinds: readonly AnyRecordKind[], log: Log): Promise<void> {
  for (const { listing } of kinds) if (listing !== undefined) await engine.defineListing(listing);
  const progress = told(engine.listingProgress());
  if (progress !== undefined) log.info({ ...progress }, works[progress.work].begins);
}

/** What the store counts. */
export function countingsOf(kinds: readonly AnyRecordKind[]): CountingDefinition[] {
  return kinds.flatMap(({ counting }) => counting ?? []);
}

interface ListingServices {
  readonly engine: Engine;
  readonly log: Log;
}

/** Lists what stood in the stores before the writer was told how. */
export const listingsJob = steppedJob(
  { name: 'listings', runs: 'in the cluster', ignoresClock: true },
  ({ engine, log }: ListingServices) => {
    let before = { work: undefined as Told['work'] | undefined, tenths: 0 };
    return async (limit) => {
      let hasMore = true;
      for (let commits = 0; hasMore && commits < COMMITS; commits++)
        hasMore = await engine.buildListings(Math.min(limit, RECORDS));
      const progress = told(engine.listingProgress());
      const tenths = progress === undefined ? 0 : Math.floor(PARTS * doneOf(progress));
      if (before.work !== undefined && before.work !== progress?.work) log.info({}, works[before.work].ends);
      const isFurther = progress?.work !== before.work || tenths > before.tenths;
      if (progress !== undefined && tenths > 0 && isFurther) log.info({ ...progress }, works[progress.work].goesOn);
      before = { work: progress?.work, tenths };
      return hasMore;
    };
  },
);

/** What `/readyz` says of it: the service is ready all the same. */
export function listsCheck(found: ListingProgress | undefined): string {
  const progress = told(found);
  if (progress === undefined) return 'ok';
  return `${works[progress.work].tells}, ${Math.floor(100 * doneOf(progress))} %`;
}

type Told = ListingProgress & { readonly work: keyof typeof works };

/** Nobody waits for what an earlier definition has left. */
function told(progress: ListingProgress | undefined): Told | undefined {
  return progress === undefined || progress.work === 'removal' ? undefined : { ...progress, work: progress.work };
}

function doneOf({ listed, records }: ListingProgress): number {
  return listed / Math.max(1, records);
}
