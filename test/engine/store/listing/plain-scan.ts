import type { Asked, Person } from './generate.ts';

/** What stands in the store. */
export interface World {
  readonly people: Map<string, Person>;
  /** By object: who is in it, and whether that has expired. */
  readonly members: Map<string, Map<string, { readonly isExpired: boolean }>>;
}

/** What is compared in an order; `null` comes last. */
type Key = string | number | null;

/** Nothing is known here but the records: they are filtered and sorted one by one. */
export function scan({ people, members }: World, asked: Asked): { id: string; key: Key }[] {
  const { search = '', where, between, within, memberOf, order = '', descending } = asked;
  const wanted = fold(search);
  const found = [...people].filter(([id, person]) => {
    if (within !== undefined && !within.includes(id)) return false;
    if (!memberOf.every((object) => members.get(object)?.get(id)?.isExpired === false)) return false;
    const { number = Number.NaN } = person;
    if (!between.every(({ from = -Infinity, below = Infinity }) => number >= from && number < below)) return false;
    if (where.isActive !== undefined && person.isActive !== where.isActive) return false;
    if (where.isBlocked !== undefined && person.isBlocked !== where.isBlocked) return false;
    const texts = [person.email, person.name ?? person.email].filter((each) => each !== undefined).map(fold);
    return wanted === '' || texts.some((each) => each.includes(wanted));
  });
  const places = found.map(([id, person]) => ({ id, key: keyOf(person, order) }));
  places.sort((left, right) => compare(left.key, right.key) || bytewise(left.id, right.id));
  return descending ? places.reverse() : places;
}

export function keyOf(person: Person, order: string): Key {
  const keys: Readonly<Record<string, Key | undefined>> = {
    email: person.email === undefined ? undefined : fold(person.email),
    name: person.name === undefined && person.email === undefined ? undefined : fold(person.name ?? person.email ?? ''),
    number: person.number,
    outside: person.more?.id,
  };
  return keys[order] ?? null;
}

/** After a place in an order, which need not be there any more. */
export function isAfter(
  place: { id: string; key: Key },
  position: { id: string; key: Key },
  descending: boolean,
): boolean {
  const order = compare(place.key, position.key) || bytewise(place.id, position.id);
  return descending ? order < 0 : order > 0;
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}

function compare(left: Key, right: Key): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  if (typeof left === 'string' && typeof right === 'string') return units(beginning(left), beginning(right));
  return Number(left) - Number(right);
}

function units(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Of long texts the first 1,024 bytes decide. None of these is cut inside a character. */
function beginning(text: string): string {
  return Buffer.from(text).subarray(0, 1_024).toString();
}

function bytewise(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
