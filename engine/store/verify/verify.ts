import { join } from 'node:path';
import { EngineError } from '../../errors.ts';
import { allHeads, nextStore, type StoreHead } from '../catalog.ts';
import { openTables, type Tables } from '../environment.ts';
import { requireDataFile } from '../folder/data-file.ts';
import { readFormat } from '../folder/format.ts';
import { readRevision } from '../layout.ts';
import { DUPLICATE_IDS_ADVICE } from '../lock/duplicate-ids.ts';
import { openBetweenWrites } from '../lock/opening-lock.ts';
import { verifyChains } from './chains.ts';
import { verifyCommits } from './commits.ts';
import { verifyEdges } from './edges.ts';
import { Findings, type Inspection } from './inspection.ts';
import { verifyNames } from './names.ts';
import { verifyCountings } from './records/countings.ts';
import { verifyListings } from './records/listings.ts';
import { verifyRecords } from './records/records.ts';
import { verifySuspended } from './suspended.ts';

export interface VerifyReport {
  /** The revision of the snapshot that was looked at. */
  readonly revision: number;
  /** Stores that are not deleted, and their tuples. */
  readonly stores: number;
  readonly tuples: number;
  readonly records: number;
  readonly commits: number;
  /** The first hundred, in words; empty where all agrees. */
  readonly problems: readonly string[];
  readonly problemCount: number;
  /** Set where not all pages can be read: nothing was compared. */
  readonly isDamaged?: true;
  /** What to do, if the findings tell. */
  readonly advice?: string;
}

/**
 * Reads all of a data folder and compares what is stored twice: the forward with the reverse index key for key, the
 * counts of shapes and stores with the tuples, names with nodes, expiry times with their index, records with their
 * keys and listings, and the kept change log with the tuples and the suspended subjects as they are now. One snapshot, read-only: a writer may be at work.
 * It blocks its thread, about three seconds a million tuples. Throws `corrupt` where the folder holds no readable data.
 */
export async function verifyStore(path: string): Promise<VerifyReport> {
  const tables = await openForReading(path);
  try {
    return inspect(tables);
  } finally {
    await tables.root.close();
  }
}

/** The tables of a folder, all of which are there. Throws `corrupt`. */
export async function openForReading(path: string): Promise<Tables> {
  const tables = await openFolder(path);
  try {
    requireTables(tables);
    if (readFormat(tables) === undefined)
      throw new EngineError('corrupt', `${path} holds no data of this program: check the path`);
    return tables;
  } catch (error) {
    await tables.root.close();
    throw error;
  }
}

async function openFolder(path: string): Promise<Tables> {
  try {
    requireDataFile(join(path, 'data.mdb'));
    return await openBetweenWrites(path, () => openTables({ path, readOnly: true }));
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new EngineError('corrupt', `${path} cannot be opened: ${String(error)}`, {}, error);
  }
}

/** Opened for reading alone, a table that was never made is not there. */
function requireTables(tables: Tables): void {
  for (const [name, table] of Object.entries<unknown>({ ...tables })) {
    if (table !== undefined) continue;
    throw new EngineError('corrupt', `the data has no table ${name}: no writer of this version has opened it yet`);
  }
}

function inspect(tables: Tables): VerifyReport {
  const findings = new Findings();
  const stored = tables.meta.getBinary(Buffer.from('revision'));
  const heads = allHeads(tables);
  const inspection: Inspection = {
    tables,
    findings,
    live: new Map(heads.filter((head) => head.deletedAt === undefined).map((head) => [head.number, head])),
    deleted: new Set(heads.filter((head) => head.deletedAt !== undefined).map((head) => head.number)),
    revision: stored === undefined ? 0 : readRevision(stored),
  };
  const part = (what: string, verify: (inspection: Inspection) => unknown): number => {
    try {
      return Number(verify(inspection) ?? 0);
    } catch (error) {
      findings.add(`${what} cannot be read to the end: ${String(error)}`);
      return 0;
    }
  };
  part('the list of stores', () => verifyHeads(inspection, heads));
  part('names', verifyNames);
  const tuples = part('tuples', verifyEdges);
  const records = part('records', verifyRecords);
  part('listings', verifyListings);
  part('counts of ids', verifyCountings);
  part('suspended subjects', verifySuspended);
  part('chains', verifyChains);
  const commits = part('the log', verifyCommits);
  return {
    revision: inspection.revision,
    stores: inspection.live.size,
    tuples,
    records,
    commits,
    problems: findings.shown,
    problemCount: findings.count,
    ...(findings.hasDuplicateIds ? { advice: DUPLICATE_IDS_ADVICE } : {}),
  };
}

function verifyHeads({ tables, findings }: Inspection, heads: readonly StoreHead[]): void {
  const bound = nextStore(tables);
  if (new Set(heads.map(({ number }) => number)).size !== heads.length) findings.add('two stores share a number');
  for (const { name, number } of heads) {
    if (number >= bound) findings.add(`store ${name} has number ${number}, and the next one is ${bound}`);
  }
}
