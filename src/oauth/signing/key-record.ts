import type { RecordEntry, RecordWrite, Store } from '#engine';
import type { SealBinding } from '../../platform/index.ts';
import type { AlgorithmName } from './algorithms.ts';

/** Collection of an organization's store. A record's id is the `kid`. */
export const signingKeyCollection = 'signing_keys';

/** A key that signs tokens, once its time has come. Times are milliseconds since the epoch. */
export interface SigningKeyRecord {
  readonly algorithm: AlgorithmName;
  /** 1 for the organization's first key of the algorithm, and so on: no two are made at once. */
  readonly generation: number;
  /** As JWKS shows it, without `kid`, `alg` and `use`. */
  readonly publicJwk: Readonly<Record<string, string>>;
  /** The private key as PKCS#8, sealed. */
  readonly sealedKey: string;
  readonly createdAt: number;
  /** From here on it signs, until another one does. */
  readonly activeFrom: number;
}

export type SigningKeyEntry = RecordEntry<SigningKeyRecord>;

export function signingKeyWrite(kid: string, document: SigningKeyRecord): RecordWrite {
  const unique = { generation: generationKey(document.algorithm, document.generation) };
  return { collection: signingKeyCollection, id: kid, document, unique };
}

function generationKey(algorithm: AlgorithmName, generation: number): string {
  return `${algorithm} ${generation}`;
}

export function signingKeyBinding(organizationId: string, kid: string): SealBinding {
  return { organization: organizationId, record: kid, field: 'privateKey' };
}

export function getSigningKey(store: Store, kid: string): SigningKeyEntry | undefined {
  return store.records.get<SigningKeyRecord>(signingKeyCollection, kid);
}

/** Every key that is published, the oldest generation first: a few for each algorithm. Inside `Engine.read`. */
export function signingKeys(store: Store): SigningKeyEntry[] {
  const all = store.records.list<SigningKeyRecord>(signingKeyCollection);
  return all.toSorted((left, right) => left.document.generation - right.document.generation);
}

export function keysOf(store: Store, algorithm: AlgorithmName): SigningKeyEntry[] {
  return signingKeys(store).filter(({ document }) => document.algorithm === algorithm);
}

/** The key that was made next for the same algorithm, where there is one yet. */
export function successorOf(store: Store, { document }: SigningKeyEntry): SigningKeyEntry | undefined {
  const place = generationKey(document.algorithm, document.generation + 1);
  return store.records.byUnique<SigningKeyRecord>(signingKeyCollection, 'generation', place);
}

/** The one that signs now: the latest whose time has come. */
export function activeKey(keys: readonly SigningKeyEntry[], now: number): SigningKeyEntry | undefined {
  return keys.findLast(({ document }) => document.activeFrom <= now);
}
