import { hash } from 'node:crypto';
import { openTables } from '../../../store/environment.ts';
import { isOfSharedLog, readOwnership } from '../../../store/folder/log-identity.ts';
import { openBetweenWrites } from '../../../store/lock/opening-lock.ts';
import { readCarried } from '../../../store/log/stream-carried.ts';
import { readProgress } from '../../../store/log/stream-progress.ts';

/** What a command that begins a log must know of the data that it begins with. */
export interface OwnData {
  /** Of the log that they belong to, in hexadecimal; empty where no writer has opened them, as after a restore. */
  readonly id: string;
  readonly isUsed: boolean;
  /** Whether they are those of a node of a cluster. */
  readonly isOfNode: boolean;
  readonly sequence: number;
  /** SHA-256 of the message there. */
  readonly digest: Buffer;
  /** Of each side stream: the highest message that was applied. */
  readonly carried: ReadonlyMap<number, number>;
}

/** The log that is there already. */
export interface FoundLog {
  readonly log: string;
  readonly before: string | undefined;
  readonly first: number;
  readonly last: number;
  /** Its message where the data end, if it has one. */
  readonly message: Uint8Array | undefined;
  /** Whether streams beside it have lost what these data have, or what comes next. */
  readonly lacksBeside: boolean;
}

export async function readOwnData(path: string): Promise<OwnData> {
  const tables = await openBetweenWrites(path, () => openTables({ path, readOnly: true }));
  try {
    const { id, sequence, isUsed } = readOwnership(tables);
    const isOfNode = isUsed && isOfSharedLog(tables);
    const digest = isOfNode ? Buffer.from(readProgress(tables).digest) : Buffer.alloc(0);
    const carried = isOfNode ? readCarried(tables) : new Map<number, number>();
    return { id: Buffer.from(id ?? []).toString('hex'), isUsed, isOfNode, sequence, digest, carried };
  } finally {
    await tables.root.close();
  }
}

/** Why a log must not begin with these data, and what to do; undefined where it may. */
export function problemOfBeginning(
  kind: 'init' | 'repair',
  own: OwnData,
  found: FoundLog | undefined,
  force: boolean,
): string | undefined {
  if (!own.isUsed) return 'the data folder is empty: start the node, and it makes a log where there is none';
  if (kind === 'init' && own.isOfNode) {
    return 'the data are those of a node of a cluster: start it; or, if its log was lost, run "relata cluster repair"';
  }
  if (kind === 'repair' && !own.isOfNode) {
    return 'the data are those of a single node, or of a backup: run "relata cluster init"';
  }
  if (found === undefined || force) return undefined;
  if (kind === 'init') {
    // nobody began it with data; or it was begun with these, and that was interrupted
    const isOwn = own.id !== '' && found.before === own.id;
    if (found.last === 0 && (found.before === undefined || isOwn)) return undefined;
    return (
      `the cluster has a log already, with messages up to ${found.last}: start the node with an empty folder to join it; ` +
      '--force deletes that log, and the cluster has these data then'
    );
  }
  if (found.before === own.id) {
    return 'the log was repaired from another node already: start this one, and it takes a snapshot; --force deletes that log';
  }
  return goesOn(own, found)
    ? 'the log goes on where these data end: there is nothing to repair, start the node'
    : undefined;
}

/** Whether a node with these data would read on. */
function goesOn({ id, sequence, digest }: OwnData, found: FoundLog): boolean {
  const { log, first, last, message, lacksBeside } = found;
  if (log !== id || last < sequence || lacksBeside) return false;
  if (first > sequence) return true; // and takes a snapshot, if the next one is gone too
  return sequence === 0 || (message !== undefined && hash('sha256', message, 'buffer').equals(digest));
}
