import { ConnectionBound } from '../../http/index.ts';
import {
  createGuessMemory,
  createHeldMemory,
  createRateMemory,
  createReplayMemory,
  type GuessMemory,
  RATE_KEYS,
} from '../../identity/limits/index.ts';
import { type Clock, type Config, readPlaces, systemClock } from '../../platform/index.ts';
import { AnsweringThreads } from './answering/answering-threads.ts';
import { ServingFlag } from './serving-flag.ts';

/** Memory that all acceptors share. */
export interface ServiceMemory {
  /** Requests by credential and address. */
  readonly rates: SharedArrayBuffer;
  readonly guesses: GuessMemory;
  /** Failures to sign in, by account and address. */
  readonly attacks: SharedArrayBuffer;
  /** What was used and may be used once. */
  readonly spent: SharedArrayBuffer;
  /** Open streams of changes, by organization and credential. */
  readonly watches: SharedArrayBuffer;
  /** See `ConnectionBound`. */
  readonly connections: SharedArrayBuffer;
  /** See `ServingFlag`. */
  readonly serving: SharedArrayBuffer;
  /** See `AnsweringThreads`. */
  readonly answering: SharedArrayBuffer;
  /** See `ClusterState`. */
  readonly cluster?: SharedArrayBuffer;
  /** The database of places, where there is one. */
  readonly places: SharedArrayBuffer | null;
}

/** Proofs of possession in about a minute: 8 MB, of which the system gives as much as is used. */
const SPENT_KEYS = 524_288;

/** Organizations and credentials that have a stream open. */
const WATCH_KEYS = 16_384;

/** @throws ConfigError where the database of places cannot be read */
export function allocateServiceMemory(
  { geoDatabase }: Pick<Config, 'geoDatabase'>,
  clock: Clock = systemClock,
): ServiceMemory {
  return {
    rates: createRateMemory(RATE_KEYS),
    guesses: createGuessMemory(),
    attacks: createRateMemory(RATE_KEYS),
    spent: createReplayMemory(SPENT_KEYS, clock.now()),
    watches: createHeldMemory(WATCH_KEYS),
    connections: ConnectionBound.allocate(),
    serving: ServingFlag.allocate(),
    answering: AnsweringThreads.allocate(),
    places: geoDatabase === null ? null : readPlaces(geoDatabase),
  };
}
