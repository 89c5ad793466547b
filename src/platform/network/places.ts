import { readFileSync } from 'node:fs';
import { type CityResponse, Reader } from 'mmdb-lib';
import { ConfigError } from '../config/config.ts';
import { normaliseAddress } from './address.ts';

export interface Place {
  /** In English. */
  readonly city: string | null;
  /** Of two letters (ISO 3166-1). */
  readonly country: string | null;
  /** In degrees, where the database has them. */
  readonly latitude?: number;
  readonly longitude?: number;
}

type FindPlace = (address: string) => Place | null;

/**
 * Reads a database of places in the MaxMind format into memory that all threads share; such a file has some 100 MB.
 * @throws ConfigError where there is none
 */
export function readPlaces(file: string): SharedArrayBuffer {
  try {
    const bytes = readFileSync(file);
    const memory = new SharedArrayBuffer(bytes.length);
    Buffer.from(memory).set(bytes);
    openPlaces(memory);
    return memory;
  } catch (error) {
    throw new ConfigError([`RELATA_GEO_DATABASE: is no database of places (${(error as Error).message})`]);
  }
}

/** Where addresses are, by such memory; without it nobody knows. */
export function openPlaces(memory: SharedArrayBuffer | null): FindPlace {
  if (memory === null) return () => null;
  const reader = new Reader<CityResponse>(Buffer.from(memory));
  return (address) => {
    const known = normaliseAddress(address);
    const found = known === '' ? null : reader.get(known);
    if (found === null) return null;
    const { latitude, longitude } = found.location ?? {};
    const isPlaced = Number.isFinite(latitude) && Number.isFinite(longitude);
    const place = { city: found.city?.names.en ?? null, country: found.country?.iso_code ?? null };
    if (place.city === null && place.country === null && !isPlaced) return null;
    return isPlaced ? { ...place, latitude: Number(latitude), longitude: Number(longitude) } : place;
  };
}
