import type { Tables } from '../environment.ts';
import { readRevision, revisionKey } from '../layout.ts';
import { forgetCarried } from './stream-carried.ts';
import { readParts, removePart } from './stream-parts.ts';

/** Up to where a store has applied the stream of a shared log. */
export interface Progress {
  /** Of the last message that was applied; 0 where none was. */
  readonly sequence: number;
  /** SHA-256 of that message. */
  readonly digest: Buffer;
  /** A hash over all messages up to there, in order, and over what became of their commands. */
  readonly state: Buffer;
}

/** The messages of one run of a node: the highest number that was applied, and when, by the clock of the stream. */
export interface Produced {
  readonly number: number;
  readonly time: number;
}

const DIGEST_BYTES = 32;
const NOTHING: Progress = { sequence: 0, digest: Buffer.alloc(DIGEST_BYTES), state: Buffer.alloc(DIGEST_BYTES) };

/** `stream-progress` -> `[sequence u64][digest][state]`, in `meta`. */
const PROGRESS = Buffer.from('stream-progress');
/** `stream-producer/[16 bytes]` -> `[number u64][time u64]`, in `meta`. */
const PRODUCER = Buffer.from('stream-producer/');
const U64_BYTES = 8;

export function readProgress({ meta }: Tables): Progress {
  const bytes = meta.getBinary(PROGRESS);
  if (bytes === undefined) return NOTHING;
  return {
    sequence: readRevision(bytes),
    digest: bytes.subarray(U64_BYTES, U64_BYTES + DIGEST_BYTES),
    state: bytes.subarray(U64_BYTES + DIGEST_BYTES),
  };
}

/** Belongs to the transaction that applies the messages up to there. */
export function writeProgress({ meta }: Tables, { sequence, digest, state }: Progress): void {
  meta.putSync(PROGRESS, Buffer.concat([revisionKey(sequence), digest, state]));
}

/** By the producer in hexadecimal. */
export function readProducers({ meta }: Tables): Map<string, Produced> {
  const producers = new Map<string, Produced>();
  for (const { key, value } of meta.getRange(PRODUCERS)) {
    const number = readRevision(value);
    producers.set(key.toString('hex', PRODUCER.length), { number, time: readRevision(value.subarray(U64_BYTES)) });
  }
  return producers;
}

export function writeProducer({ meta }: Tables, producer: string, { number, time }: Produced): void {
  meta.putSync(producerKey(producer), Buffer.concat([revisionKey(number), revisionKey(time)]));
}

export function removeProducer({ meta }: Tables, producer: string): void {
  meta.removeSync(producerKey(producer));
}

/** For a copy, which is another log. */
export function forgetProgress(tables: Tables): void {
  tables.meta.removeSync(PROGRESS);
  for (const producer of readProducers(tables).keys()) removeProducer(tables, producer);
  for (const part of readParts(tables)) removePart(tables, part);
  forgetCarried(tables);
}

function producerKey(producer: string): Buffer {
  return Buffer.concat([PRODUCER, Buffer.from(producer, 'hex')]);
}

const PRODUCERS = { start: PRODUCER, end: Buffer.from('stream-producer0') };
