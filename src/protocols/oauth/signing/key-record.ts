import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';
import type { SealBinding } from '../../../platform/index.ts';
import { type AlgorithmName, algorithmNames } from './algorithms.ts';

/** Keys that sign tokens, each once its time has come. A record's id is the `kid`. Times are in milliseconds. */
export const signingKeyRecords = defineRecord({
  collection: 'signing_keys',
  holds: 'a key that signs tokens, the private part sealed',
  schema: z.strictObject({
    algorithm: z.enum(algorithmNames),
    /** 1 for the organization's first key of the algorithm, and so on: no two are made at once. */
    generation: z.int(),
    /** As JWKS shows it, without `kid`, `alg` and `use`. */
    publicJwk: z.record(z.string(), z.string()).readonly(),
    /** The private key as PKCS#8, sealed. */
    sealedKey: z.string(),
    createdAt: z.number(),
    /** From here on it signs, until another one does. */
    activeFrom: z.number(),
  }),
  unique: ({ algorithm, generation }) => ({ generation: generationKey(algorithm, generation) }),
});

export type SigningKeyRecord = DocumentOf<typeof signingKeyRecords>;
export type SigningKeyEntry = RecordEntry<SigningKeyRecord>;

function generationKey(algorithm: AlgorithmName, generation: number): string {
  return `${algorithm} ${generation}`;
}

export function signingKeyBinding(organizationId: string, kid: string): SealBinding {
  return { organization: organizationId, record: kid, field: 'privateKey' };
}

/** Every key that is published, the oldest generation first: a few for each algorithm. Inside `Engine.read`. */
export function signingKeys(store: Store): SigningKeyEntry[] {
  return signingKeyRecords.list(store).toSorted((left, right) => left.document.generation - right.document.generation);
}

export function keysOf(store: Store, algorithm: AlgorithmName): SigningKeyEntry[] {
  return signingKeys(store).filter(({ document }) => document.algorithm === algorithm);
}

/** The key that was made next for the same algorithm, where there is one yet. */
export function successorOf(store: Store, { document }: SigningKeyEntry): SigningKeyEntry | undefined {
  const next = generationKey(document.algorithm, document.generation + 1);
  return signingKeyRecords.byUnique(store, 'generation', next);
}

/** The one that signs now: the latest whose time has come. */
export function activeKey(keys: readonly SigningKeyEntry[], now: number): SigningKeyEntry | undefined {
  return keys.findLast(({ document }) => document.activeFrom <= now);
}
