import { createGuessMemory, createRateMemory, type GuessMemory, RATE_KEYS } from '../../limits/index.ts';
import { type Config, readPlaces } from '../../platform/index.ts';

/** Memory that all acceptors share. */
export interface ServiceMemory {
  /** Requests by credential and address. */
  readonly rates: SharedArrayBuffer;
  readonly guesses: GuessMemory;
  /** The database of places, where there is one. */
  readonly places: SharedArrayBuffer | null;
}

/** @throws ConfigError where the database of places cannot be read */
export function allocateServiceMemory({ geoDatabase }: Pick<Config, 'geoDatabase'>): ServiceMemory {
  return {
    rates: createRateMemory(RATE_KEYS),
    guesses: createGuessMemory(),
    places: geoDatabase === null ? null : readPlaces(geoDatabase),
  };
}
