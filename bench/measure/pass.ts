import type { Store } from '#engine';
import type { Questions } from '../data/data-set.ts';
import { secondsSince, turn } from './clock.ts';

/** What one pass over the questions gave. */
export interface Pass {
  readonly seconds: number;
  /** Of the answers in their order: two passes that agree have the same. */
  readonly hash: string;
}

export interface TimedPass extends Pass {
  /** Microseconds of each question, sorted. Each holds one reading of the clock. */
  readonly micros: Float64Array;
}

/** Questions between two turns of the event loop, which is where a server lets go of its snapshot. */
const PER_TURN = 1_000;
const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/** Asks all questions as fast as they are answered. Throws where any answer is wrong. */
export async function ratePass(store: Store, questions: Questions): Promise<Pass> {
  const { requests, expected } = questions;
  let wrong = 0;
  let hash = HASH_START;
  const startedAt = process.hrtime.bigint();
  for (let from = 0; from < requests.length; from += PER_TURN) {
    const to = Math.min(requests.length, from + PER_TURN);
    for (let i = from; i < to; i++) {
      const answer = store.check(requests[i] as Questions['requests'][number]).outcome === 'allowed' ? 1 : 0;
      if (answer !== expected[i]) wrong++;
      hash = Math.imul(hash ^ answer, HASH_PRIME);
    }
    await turn();
  }
  return { seconds: secondsSince(startedAt), hash: shown(hash, wrong, requests.length) };
}

/** The same with the time of each question. */
export async function timedPass(store: Store, questions: Questions): Promise<TimedPass> {
  const { requests, expected } = questions;
  const micros = new Float64Array(requests.length);
  let wrong = 0;
  let hash = HASH_START;
  const startedAt = process.hrtime.bigint();
  for (let from = 0; from < requests.length; from += PER_TURN) {
    const to = Math.min(requests.length, from + PER_TURN);
    let before = process.hrtime.bigint();
    for (let i = from; i < to; i++) {
      const answer = store.check(requests[i] as Questions['requests'][number]).outcome === 'allowed' ? 1 : 0;
      const now = process.hrtime.bigint();
      micros[i] = Number(now - before) / 1000;
      before = now;
      if (answer !== expected[i]) wrong++;
      hash = Math.imul(hash ^ answer, HASH_PRIME);
    }
    await turn();
  }
  return { seconds: secondsSince(startedAt), hash: shown(hash, wrong, requests.length), micros: micros.sort() };
}

function shown(hash: number, wrong: number, asked: number): string {
  if (wrong > 0) throw new Error(`${wrong} of ${asked} answers are wrong`);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
