import { type ChainReport, proveChains } from '#engine';
import { entryDigest, entryRecords, type StoredEntry } from '../../kernel/audit/index.ts';
import { storeOf } from '../../kernel/organizations/index.ts';
import { deriveKey } from '../../platform/index.ts';

export interface LogQuestion {
  /** The folder of the engine. */
  readonly path: string;
  readonly masterKey: string;
  /** One organization's slug; all of them without it. */
  readonly organization?: string | undefined;
  /** A head of this organization's log that was written down elsewhere. */
  readonly noted?: { readonly sequence: number; readonly link: Buffer } | undefined;
}

export interface LogReport extends Omit<ChainReport, 'store' | 'head'> {
  readonly organization: string;
  readonly head: { readonly sequence: number /** Base64url. */; readonly link: string };
}

/**
 * Proves that no entry of an audit log was changed, removed or inserted. What was taken from the end, or a whole log
 * that was put back as it once was, is found by comparing with a noted head alone.
 */
export async function proveLogs({ path, masterKey, organization, noted }: LogQuestion): Promise<LogReport[]> {
  const question = {
    chain: entryRecords.collection,
    key: deriveKey(masterKey, 'audit chain'),
    digest: digestOfRecord,
    ...(noted === undefined ? {} : { noted }),
  };
  const prefix = storeOf('');
  const isWanted = (store: string): boolean =>
    organization === undefined ? store.startsWith(prefix) : store === storeOf(organization);
  const reports = await proveChains(path, question, isWanted);
  return reports.map(({ store, head, ...report }) => ({
    organization: store.slice(prefix.length),
    head: { sequence: head.sequence, link: head.link.toString('base64url') },
    ...report,
  }));
}

/** A record that is no entry at all has the digest of none. */
function digestOfRecord(document: unknown): Buffer {
  try {
    return entryDigest(document as StoredEntry);
  } catch {
    return Buffer.alloc(0);
  }
}
