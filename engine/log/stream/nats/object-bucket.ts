import { createHash, randomBytes } from 'node:crypto';
import {
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { EngineError } from '../../../errors.ts';
import {
  factsOf,
  newestFirst,
  type Snapshot,
  type SnapshotFacts,
  type SnapshotStore,
  textOf,
} from '../snapshots/snapshot.ts';
import { answered } from './connection/answered.ts';
import type { StreamSettings } from './settings.ts';

const REQUEST_MS = 5000;
const NOT_FOUND = 10059;
const NO_MESSAGE = 10037;
const PIECE_BYTES = 128 * 1024;
/** Pieces that are sent before the first of them is kept. */
const AHEAD_PIECES = 16;
const READ_AHEAD_PIECES = 64;
/** How long the next piece may take. */
const PIECE_MS = 30_000;
/** Far more than are kept. */
const OBJECTS_MAX = 1000;
const OBJECT_JSON_BYTES = 64 * 1024;

/** An object's entry, by the layout of NATS (ADR-20), so that its own tools show it too. */
interface ObjectEntry {
  readonly name: string;
  readonly bucket: string;
  /** Part of its pieces' subject. */
  readonly nuid: string;
  readonly size: number;
  readonly chunks: number;
  readonly mtime: string;
  readonly digest: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly deleted?: boolean;
}

const DIGEST = 'SHA-256=';

/** The object store of JetStream in which the nodes of one stream keep snapshots. It is made by the first one. */
export class ObjectBucket implements SnapshotStore {
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #bucket: string;
  readonly #replicas: number;
  readonly #pieceBytes: number;

  private constructor(connection: NatsConnection, manager: JetStreamManager, settings: BucketSettings) {
    this.#client = jetstream(connection, { timeout: REQUEST_MS });
    this.#manager = manager;
    this.#bucket = bucketOf(settings.stream);
    this.#replicas = settings.replicas;
    this.#pieceBytes = Math.min(PIECE_BYTES, (connection.info?.max_payload ?? PIECE_BYTES) - HEADER_BYTES);
  }

  static async open(connection: NatsConnection, settings: BucketSettings): Promise<ObjectBucket> {
    const manager = await answered(jetstreamManager(connection, { timeout: REQUEST_MS, checkAPI: false }));
    return new ObjectBucket(connection, manager, settings);
  }

  get #stream(): string {
    return `OBJ_${this.#bucket}`;
  }

  async list(): Promise<Snapshot[]> {
    const pieces = await this.#counts('C');
    const entries = await this.#entries();
    return entries
      .flatMap((entry) => (pieces.get(this.#pieces(entry.nuid)) === entry.chunks ? snapshotOf(entry) : []))
      .toSorted(newestFirst);
  }

  async put(facts: SnapshotFacts, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Snapshot> {
    await this.#make();
    const nuid = randomBytes(16).toString('hex');
    const subject = this.#pieces(nuid);
    const hash = createHash('sha256');
    let [size, chunks] = [0, 0];
    const under: Promise<unknown>[] = [];
    for await (const bytes of sized(pieces, this.#pieceBytes)) {
      signal.throwIfAborted();
      hash.update(bytes);
      size += bytes.length;
      chunks++;
      const kept = answered(this.#client.publish(subject, bytes, { timeout: REQUEST_MS }));
      kept.catch(() => {}); // it is waited for below
      under.push(kept);
      if (under.length >= AHEAD_PIECES) await under.shift();
    }
    await Promise.all(under);
    // a piece that came twice, because its sender did not know that it was kept, would not be found before it is read
    if ((await this.#counts('C')).get(subject) !== chunks) {
      throw new EngineError('unavailable', 'the NATS servers did not keep every piece of the snapshot once');
    }
    signal.throwIfAborted();
    const entry: ObjectEntry = {
      name: `${facts.log}-${facts.sequence}-${nuid.slice(0, 8)}`,
      bucket: this.#bucket,
      nuid,
      size,
      chunks,
      mtime: new Date(facts.time).toISOString(),
      digest: DIGEST + hash.digest('base64url'),
      metadata: textOf(facts),
    };
    const rollup = headers();
    rollup.set('Nats-Rollup', 'sub');
    const text = JSON.stringify({ ...entry, options: { max_chunk_size: this.#pieceBytes } });
    await answered(this.#client.publish(this.#entry(entry.name), text, { timeout: REQUEST_MS, headers: rollup }));
    return snapshotOf(entry)[0] as Snapshot; // it was made of facts
  }

  async *read({ name, bytes }: Snapshot): AsyncIterable<Uint8Array> {
    const entry = await this.#find(name);
    if (entry === undefined) throw new EngineError('unavailable', 'the snapshot was removed meanwhile');
    const consumer = await answered(
      this.#client.consumers.get(this.#stream, {
        filter_subjects: this.#pieces(entry.nuid),
        deliver_policy: DeliverPolicy.All,
      }),
    );
    const messages = await answered(consumer.consume({ max_messages: READ_AHEAD_PIECES }));
    const incoming = messages[Symbol.asyncIterator]();
    try {
      for (let left = bytes; left > 0; ) {
        const { data, info } = await nextOf(incoming);
        left -= data.length;
        yield data;
        // shorter than it was: the reader sees so, and need not wait for a piece that never comes
        if (info.pending === 0) return;
      }
    } finally {
      messages.stop();
      void consumer.delete().catch(() => {}); // the servers forget it by themselves
    }
  }

  async remove({ name }: Pick<Snapshot, 'name'>): Promise<void> {
    const entry = await this.#find(name);
    if (entry === undefined) return;
    // the entry first: what is in the list is whole
    await answered(this.#manager.streams.purge(this.#stream, { filter: this.#entry(name) }));
    await answered(this.#manager.streams.purge(this.#stream, { filter: this.#pieces(entry.nuid) }));
  }

  async removeRemains(idleMs: number): Promise<void> {
    const known = new Set((await this.#entries()).map(({ nuid }) => this.#pieces(nuid)));
    for (const subject of (await this.#counts('C')).keys()) {
      if (known.has(subject)) continue;
      const last = await this.#last(subject);
      if (last !== undefined && Date.now() - last.time.getTime() < idleMs) continue;
      await answered(this.#manager.streams.purge(this.#stream, { filter: subject }));
    }
  }

  async #make(): Promise<void> {
    const config = {
      name: this.#stream,
      subjects: [`$O.${this.#bucket}.C.>`, `$O.${this.#bucket}.M.>`],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.New,
      num_replicas: this.#replicas,
      max_age: 0,
      max_bytes: -1,
      max_msgs: -1,
      allow_rollup_hdrs: true,
      allow_direct: true,
    };
    if ((await this.#info()) === undefined) await answered(this.#manager.streams.add(config));
  }

  /** How many messages stand under each subject: `C` for pieces, `M` for entries. */
  async #counts(kind: 'C' | 'M'): Promise<Map<string, number>> {
    const info = await this.#info(`$O.${this.#bucket}.${kind}.>`);
    return new Map(Object.entries(info?.state.subjects ?? {}));
  }

  /** Undefined where nobody has made it. */
  async #info(subjects = '') {
    try {
      const more = subjects === '' ? {} : { subjects_filter: subjects };
      return await this.#manager.streams.info(this.#stream, more);
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === NOT_FOUND) return undefined;
      throw error instanceof JetStreamApiError || error instanceof Error
        ? new EngineError('unavailable', `the NATS servers do not tell of the snapshots: ${error.message}`, {}, error)
        : error;
    }
  }

  async #entries(): Promise<ObjectEntry[]> {
    const subjects = [...(await this.#counts('M')).keys()].slice(0, OBJECTS_MAX);
    const entries: ObjectEntry[] = [];
    for (const subject of subjects) {
      const entry = entryOf(await this.#last(subject));
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  async #find(name: string): Promise<ObjectEntry | undefined> {
    return entryOf(await this.#last(this.#entry(name)));
  }

  async #last(subject: string) {
    try {
      return (await this.#manager.streams.getMessage(this.#stream, { last_by_subj: subject })) ?? undefined;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === NO_MESSAGE) return undefined;
      throw new EngineError(
        'unavailable',
        `the NATS servers do not tell of the snapshots: ${String(error)}`,
        {},
        error,
      );
    }
  }

  #entry(name: string): string {
    return `$O.${this.#bucket}.M.${Buffer.from(name).toString('base64url')}`;
  }

  #pieces(nuid: string): string {
    return `$O.${this.#bucket}.C.${nuid}`;
  }
}

export type BucketSettings = Pick<StreamSettings, 'stream' | 'replicas'>;

/** Beside the bytes of a piece. */
const HEADER_BYTES = 1024;

function bucketOf(stream: string): string {
  return `${stream}-snapshots`;
}

/** The stream that is the object store. */
export function bucketStreamOf(stream: string): string {
  return `OBJ_${bucketOf(stream)}`;
}

/** The subjects of its entries. */
export function entriesOf(stream: string): string {
  return `$O.${bucketOf(stream)}.M.>`;
}

function entryOf(message: { readonly data: Uint8Array } | undefined): ObjectEntry | undefined {
  if (message === undefined || message.data.length === 0 || message.data.length > OBJECT_JSON_BYTES) return undefined;
  try {
    const entry = JSON.parse(Buffer.from(message.data).toString('utf8')) as ObjectEntry;
    return entry.deleted === true || typeof entry.nuid !== 'string' ? undefined : entry;
  } catch {
    return undefined; // something else wrote it
  }
}

function snapshotOf({ name, size, digest, metadata }: ObjectEntry): Snapshot[] {
  const facts = factsOf(metadata ?? {});
  if (facts === undefined || !digest?.startsWith(DIGEST)) return [];
  return [{ ...facts, name, bytes: size, digest: digest.slice(DIGEST.length) }];
}

async function nextOf(messages: AsyncIterator<JsMsg>): Promise<JsMsg> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EngineError('unavailable', 'the next piece does not come')), PIECE_MS);
  });
  try {
    const next = await answered(Promise.race([messages.next(), late]));
    if (next.done) throw new EngineError('unavailable', 'the snapshot ended before its end');
    return next.value;
  } finally {
    clearTimeout(timer);
  }
}

/** The same bytes in pieces of at most that size. */
async function* sized(pieces: AsyncIterable<Uint8Array>, max: number): AsyncIterable<Uint8Array> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += max) yield piece.subarray(at, at + max);
  }
}
