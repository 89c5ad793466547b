import { findKey, getKey, isLiveKey, keySubject } from '../../directory/records/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import { apiKeyKind } from '../../platform/index.ts';
import { type Judgement, SubjectCaller } from './callers.ts';

interface KnownKey {
  readonly caller: SubjectCaller;
  readonly id: string;
  readonly version: number;
  /** Milliseconds since the epoch; infinity where it has no expiry. */
  readonly expiresAt: number;
  /** The revision at which its record was last read. */
  revision: number;
}

/** Who has a key, and the id of the key. */
type KeyCaller = Pick<KnownKey, 'caller' | 'id'>;

const KNOWN_MAX = 10_000;

/**
 * The callers behind admin API keys, in one thread. A key that was seen before is looked at again whenever the revision
 * has moved: a revoked or rotated one fails on the next request of every thread, and no time passes in which an old
 * answer counts.
 */
export class KeyCallers {
  readonly #judgement: Judgement;
  readonly #known = new Map<Organization, Map<string, KnownKey>>();
  #count = 0;

  constructor(judgement: Judgement) {
    this.#judgement = judgement;
  }

  /** The caller with a key that this thread has seen before, while it is good. To be called inside `Engine.read`. */
  recall(organization: Organization, key: string): KeyCaller | undefined {
    const { engine, clock } = this.#judgement;
    const known = this.#known.get(organization)?.get(key);
    if (known === undefined) return undefined;
    const revision = engine.revision();
    if (known.revision !== revision) {
      if (!isCurrent(organization, known, 0)) {
        this.#known.get(organization)?.delete(key);
        return undefined;
      }
      known.revision = revision;
    }
    return clock.now() < known.expiresAt ? known : undefined;
  }

  /** The caller with a key, looked up. To be called inside `Engine.read`. */
  load(organization: Organization, key: string): KeyCaller | undefined {
    const { engine, clock } = this.#judgement;
    if (apiKeyKind(key) !== 'admin') return undefined;
    const entry = findKey(organization.store, key);
    if (entry === undefined || !isLiveKey(entry.document, clock.now())) return undefined;
    const known: KnownKey = {
      caller: new SubjectCaller(organization, { subject: keySubject(entry.id) }, this.#judgement, () =>
        isCurrent(organization, known, clock.now()),
      ),
      id: entry.id,
      version: entry.version,
      expiresAt: entry.document.expiresAt ?? Number.POSITIVE_INFINITY,
      revision: engine.revision(),
    };
    this.#remember(organization, key, known);
    return known;
  }

  #remember(organization: Organization, key: string, known: KnownKey): void {
    if (++this.#count > KNOWN_MAX) {
      this.#known.clear();
      this.#count = 1;
    }
    let keys = this.#known.get(organization);
    if (keys === undefined) {
      keys = new Map();
      this.#known.set(organization, keys);
    }
    keys.set(key, known);
  }
}

/** Neither revoked nor rotated, and not expired at `now`. */
function isCurrent({ store }: Organization, { id, version, expiresAt }: KnownKey, now: number): boolean {
  return now < expiresAt && getKey(store, id)?.version === version;
}
