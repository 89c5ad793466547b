import { LOG_ID_BYTES } from '../../../store/folder/log-identity.ts';

/** What is known of a snapshot: a copy of a node's store, as it was after one message of the log. */
export interface SnapshotFacts {
  /** The identity of the log, in hexadecimal: after a repair the log is another one. */
  readonly log: string;
  /** The last message that is applied in it. */
  readonly sequence: number;
  /** The hash over all messages up to there, in hexadecimal. */
  readonly state: string;
  /** Of the store's layout. */
  readonly format: number;
  /** When it was made, in milliseconds since the epoch, by the clock of the node that made it. */
  readonly time: number;
  /** Of the side streams, from which message on each is needed. Where one is absent, nothing is known of it. */
  readonly beside?: readonly NeededFrom[];
}

export interface NeededFrom {
  readonly stream: number;
  readonly from: number;
}

/** A snapshot that is whole in the object store. */
export interface Snapshot extends SnapshotFacts {
  /** Of its object. */
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 in base64url. */
  readonly digest: string;
}

/** Where the nodes of a cluster keep snapshots. All of it rejects where it does not answer. */
export interface SnapshotStore {
  /** Of any log, the newest first. Those of which a part is missing are left out. */
  list(): Promise<Snapshot[]>;
  /**
   * Becomes one of the list when all of it is kept, and not before. What was kept of one that fails is removed later by
   * `removeRemains`.
   */
  put(facts: SnapshotFacts, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Snapshot>;
  /** Its bytes in order. The reader compares their digest. */
  read(snapshot: Snapshot): AsyncIterable<Uint8Array>;
  remove(snapshot: Pick<Snapshot, 'name'>): Promise<void>;
  /** Removes what interrupted uploads have left, once nothing was added to it for `idleMs`. */
  removeRemains(idleMs: number): Promise<void>;
}

type Text = { readonly [name: string]: unknown };

/** From an object's metadata, in which all values are texts; undefined where these are not of a snapshot. */
export function factsOf({ log, sequence, state, format, time, beside }: Text): SnapshotFacts | undefined {
  if (typeof log !== 'string' || !LOG.test(log) || typeof state !== 'string' || !STATE.test(state)) return undefined;
  const numbers = [sequence, format, time].map(Number);
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) return undefined;
  const [atSequence, ofFormat, at] = numbers as [number, number, number];
  return { log, sequence: atSequence, state, format: ofFormat, time: at, ...neededIn(beside) };
}

export function textOf(facts: SnapshotFacts): Readonly<Record<string, string>> {
  const { log, sequence, state, format, time, beside = [] } = facts;
  const needed = beside.length === 0 ? {} : { beside: beside.map(({ stream, from }) => `${stream}:${from}`).join() };
  return { log, sequence: String(sequence), state, format: String(format), time: String(time), ...needed };
}

/** Nothing where it is not understood: then nothing is cut by it. */
function neededIn(text: unknown): Pick<SnapshotFacts, 'beside'> {
  if (typeof text !== 'string' || !NEEDED.test(text)) return {};
  const beside = text.split(',').map((each) => {
    const [stream = 0, from = 0] = each.split(':').map(Number);
    return { stream, from };
  });
  return { beside };
}

/** The newest first: of one log, the one with the higher sequence. */
export function newestFirst(one: Snapshot, other: Snapshot): number {
  return one.log === other.log ? other.sequence - one.sequence || other.time - one.time : other.time - one.time;
}

const LOG = new RegExp(`^[0-9a-f]{${2 * LOG_ID_BYTES}}$`);
const NEEDED = /^\d{1,2}:\d{1,15}(?:,\d{1,2}:\d{1,15}){0,15}$/;
const STATE = /^[0-9a-f]{64}$/;
