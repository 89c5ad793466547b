import type { Engine } from '../../engine/index.ts';
import { type ErasedPerson, erasePerson } from '../../src/audit/retention/erase.ts';
import { commit } from '../../src/kernel/commits/index.ts';

/** Erases a person from a store that no organization has, where nobody's right is asked. */
export function eraseFrom(engine: Engine, store: string, person: ErasedPerson): Promise<number> {
  return erasePerson(engine, store, person, (page) => commit(engine, store, page));
}
