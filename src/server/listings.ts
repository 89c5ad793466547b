import type { Engine, ListingProgress } from '#engine';
import { steppedJob } from '../kernel/modules/index.ts';
import type { AnyRecordKind } from '../kernel/records/index.ts';
import type { Log } from '../platform/index.ts';

/** Records of one commit. The writer is held up for so long, and answers others between two of them. */
const RECORDS = 50;
/** Commits of one step. */
const COMMITS = 5;
/** The log is told after each tenth. */
const PARTS = 10;

/** Tells the writer how the store lists records. Organizations of another release are listed by the job below. */
export async function defineListings(engine: Engine, kinds: readonly AnyRecordKind[], log: Log): Promise<void> {
  for (const { listing } of kinds) if (listing !== undefined) await engine.defineListing(listing);
  const progress = building(engine.listingProgress());
  if (progress === undefined) return;
  log.info({ ...progress }, 'lists are built in the store: until then they are answered from memory, and slower');
}

interface ListingServices {
  readonly engine: Engine;
  readonly log: Log;
}

/** Lists what stood in the stores before the writer was told how. */
export const listingsJob = steppedJob(
  { name: 'listings', runs: 'in the cluster' },
  ({ engine, log }: ListingServices) => {
    let told = 0;
    let wasBuilding = false;
    return async (limit) => {
      let hasMore = true;
      for (let commits = 0; hasMore && commits < COMMITS; commits++)
        hasMore = await engine.buildListings(Math.min(limit, RECORDS));
      const progress = building(engine.listingProgress());
      const part =
        progress === undefined ? PARTS : Math.floor((progress.listed * PARTS) / Math.max(1, progress.records));
      if (progress !== undefined && part > told) log.info({ ...progress }, 'lists are being built in the store');
      if (progress === undefined && wasBuilding) log.info({}, 'all lists are kept in the store now');
      told = part;
      wasBuilding = progress !== undefined;
      return hasMore;
    };
  },
);

/** What `/readyz` says of it: the service is ready all the same. */
export function listsCheck(found: ListingProgress | undefined): string {
  const progress = building(found);
  if (progress === undefined) return 'ok';
  const { listed, records } = progress;
  return `building, ${Math.floor((100 * listed) / Math.max(1, records))} %`;
}

/** Lists do not wait for what an earlier definition has left, nor for zones, without which they are slower. */
function building(progress: ListingProgress | undefined): ListingProgress | undefined {
  return progress?.work === 'records' ? progress : undefined;
}
