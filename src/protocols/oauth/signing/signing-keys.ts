import { createPrivateKey, type DSAEncoding, type KeyObject } from 'node:crypto';
import { BoundedMap, type Store } from '#engine';
import { systemActor } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { transactAs } from '../../../kernel/transactions/index.ts';
import { type AlgorithmName, algorithmNames, signingAlgorithms } from './algorithms.ts';
import {
  activeKey,
  keysOf,
  type SigningKeyEntry,
  signingKeyBinding,
  signingKeyRecords,
  successorOf,
} from './key-record.ts';
import { addKey, makeKey } from './make-key.ts';
import type { RotationDependencies } from './rotation.ts';

/** A key that can sign. */
export interface Signer {
  readonly kid: string;
  readonly algorithm: AlgorithmName;
  /** How its signatures are written. */
  readonly key: { readonly key: KeyObject; readonly dsaEncoding?: DSAEncoding };
  /** Encoded headers of the kinds of token that it has signed, by `typ`. */
  readonly heads: Map<string, string>;
}

interface LastSigner {
  readonly signer: Signer;
  /** When another one takes over, in milliseconds since the epoch, as it was known at a revision. */
  readonly until: number;
  readonly revision: number;
}

/** Opened private keys remembered by a thread. */
const OPENED_MAX = 1_000;

/** The keys of organizations in one thread: made at first need, opened once. */
export class SigningKeys {
  readonly #dependencies: RotationDependencies;
  /** By `kid`, which is random and never used twice. */
  readonly #opened = new BoundedMap<string, Signer>(OPENED_MAX);
  /** The key that signed last. */
  readonly #last = new WeakMap<Store, Map<AlgorithmName, LastSigner>>();

  constructor(dependencies: RotationDependencies) {
    this.#dependencies = dependencies;
  }

  /** The key that signs now. */
  async signer(organization: Organization, algorithm: AlgorithmName): Promise<Signer> {
    const { engine, clock } = this.#dependencies;
    const { store } = organization;
    const last = this.#last.get(store)?.get(algorithm);
    if (last !== undefined && last.revision === engine.revision() && clock.now() < last.until) return last.signer;
    const active = engine.read(() => this.#active(store, algorithm, last?.signer.kid));
    if (active === undefined) return this.#open(organization, await this.#first(organization, algorithm));
    const { entry, until, revision } = active;
    const signer = this.#opened.get(entry.id) ?? this.#open(organization, entry);
    const ofStore = this.#last.get(store) ?? new Map<AlgorithmName, LastSigner>();
    this.#last.set(store, ofStore.set(algorithm, { signer, until, revision }));
    return signer;
  }

  /** Looks at the key that signed last, and whether its successor's time has come. */
  #active(store: Store, algorithm: AlgorithmName, last: string | undefined) {
    const now = this.#dependencies.clock.now();
    const known = last === undefined ? undefined : signingKeyRecords.get(store, last);
    const isOver = known !== undefined && endOf(store, known) <= now;
    const entry = known === undefined || isOver ? activeKey(keysOf(store, algorithm), now) : known;
    return entry && { entry, until: endOf(store, entry), revision: store.revision() };
  }

  /** Makes the keys that the organization does not have yet. */
  async ensure(organization: Organization): Promise<void> {
    const { engine } = this.#dependencies;
    for (const algorithm of algorithmNames) {
      const isThere = engine.read(() => keysOf(organization.store, algorithm).length > 0);
      if (!isThere) await this.#first(organization, algorithm);
    }
  }

  #open({ id: organizationId }: Organization, { id, document }: SigningKeyEntry): Signer {
    const pem = this.#dependencies.sealer.open(document.sealedKey, signingKeyBinding(organizationId, id));
    const { algorithm } = document;
    const { dsaEncoding } = signingAlgorithms[algorithm];
    const key = { key: createPrivateKey(pem), ...(dsaEncoding === undefined ? {} : { dsaEncoding }) };
    const signer: Signer = { kid: id, algorithm, key, heads: new Map() };
    this.#opened.set(id, signer);
    return signer;
  }

  /** The first key signs at once: nobody can have a key set without it. */
  async #first(organization: Organization, algorithm: AlgorithmName): Promise<SigningKeyEntry> {
    const { store } = organization;
    const fresh = await makeKey(organization, algorithm, this.#dependencies.sealer);
    await transactAs(this.#dependencies, organization, systemActor, undefined, (transaction) => {
      if (keysOf(store, algorithm).length > 0) return;
      addKey(transaction, fresh, { generation: 1, activeFrom: transaction.now });
    });
    return this.#dependencies.engine.read(() => firstOf(store, algorithm));
  }
}

/** When the next key takes over. */
function endOf(store: Store, entry: SigningKeyEntry): number {
  return successorOf(store, entry)?.document.activeFrom ?? Number.POSITIVE_INFINITY;
}

function firstOf(store: Store, algorithm: AlgorithmName): SigningKeyEntry {
  const [first] = keysOf(store, algorithm);
  if (first === undefined) throw new Error(`the first ${algorithm} key was committed and is not there`);
  return first;
}
