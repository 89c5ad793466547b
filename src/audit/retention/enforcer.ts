import type { Change, Store } from '#engine';
import { type AuditMaker, auditedAs, entryRecords, systemActor } from '../../kernel/audit/index.ts';
import { commit } from '../../kernel/commits/index.ts';
import {
  MORE_NOW,
  NOTHING_DUE,
  type OrganizationRecord,
  OrganizationWalk,
  slugOf,
  type WalkDependencies,
} from '../../kernel/organizations/index.ts';
import { isoTime, type SetAside, timeOfId } from '../../platform/index.ts';
import { readRetention } from './settings.ts';

export interface RetentionDependencies extends WalkDependencies {
  readonly audit: AuditMaker;
  readonly organizations: { get(slug: string): OrganizationRecord | undefined };
}

const DAY_MS = 86_400_000;
/** Between two rounds over all organizations. */
const ROUND_MS = 60_000;
/** An entry stands under six keys: more at once would hold up the commits of requests. */
const STEP_MAX = 500;

interface Due {
  /** The chain is to be cut off behind this entry. */
  readonly through: number;
  /** Entries from before this time. */
  readonly before: number;
}

/**
 * Removes entries that are older than their organization keeps them, oldest first, in bounded steps. The chain is cut
 * where they end and can be verified from there. The first of several steps leaves an entry that says so. An entry that
 * cannot be read stays where it is, off the chain, for "relata verify" to tell of.
 */
export class RetentionEnforcer {
  readonly #dependencies: RetentionDependencies;
  readonly #walk: OrganizationWalk;
  /** Stores whose log says that its entries are being removed. */
  readonly #announced = new Set<string>();

  constructor(dependencies: RetentionDependencies) {
    this.#dependencies = dependencies;
    const options = { job: 'audit_retention', roundMs: ROUND_MS, atOnce: 1 };
    this.#walk = new OrganizationWalk(
      dependencies,
      options,
      (store, limit, aside) => this.#cut(store, limit, aside),
      (store) => this.#look(store),
    );
  }

  /** One commit of at most `limit` entries for each organization. Answers whether there may be more to do now. */
  step(limit: number): Promise<boolean> {
    return this.#walk.step(limit);
  }

  /** Whether an entry may be too old by now. */
  #look(name: string): number {
    const { engine, audit } = this.#dependencies;
    const next = nextCut(engine.store(name));
    if (next <= audit.now()) return MORE_NOW;
    this.#announced.delete(name);
    return next;
  }

  async #cut(name: string, limit: number, aside: SetAside): Promise<number> {
    const { engine, organizations } = this.#dependencies;
    const isCut = await commit(engine, name, (changes) => {
      const due = this.#due(changes.store, Math.min(limit, STEP_MAX), aside);
      const organization = organizations.get(slugOf(name));
      if (due === undefined || organization === undefined) return false;
      changes.change([{ op: 'cut_chain', store: name, chain: entryRecords.collection, through: due.through }]);
      if (!this.#announced.has(name)) changes.change(this.#announcement(name, organization, due));
      return true;
    });
    if (isCut) this.#announced.add(name);
    else this.#announced.delete(name);
    return isCut ? MORE_NOW : engine.read(() => nextCut(engine.store(name)));
  }

  #announcement(name: string, { id }: OrganizationRecord, { before }: Due): Change[] {
    return auditedAs(this.#dependencies.audit, { id, store: { name } }, systemActor, undefined, {
      eventType: 'admin.action',
      action: 'audit_log.expire',
      targetType: 'audit_log',
      metadata: { before: isoTime(before) },
    });
  }

  #due(store: Store, limit: number, aside: SetAside): Due | undefined {
    const settings = readRetention(store)?.document;
    if (!settings?.autoDelete) return undefined;
    const before = this.#dependencies.audit.now() - settings.retentionDays * DAY_MS;
    const chain = store.chain(entryRecords.collection);
    const from = chain.checkpoint()?.sequence ?? 0;
    let through = from;
    for (const { sequence, entry } of chain.after(from, limit)) {
      if (timeOfId(entry) >= before) break;
      aside.attempt(entryRecords.collection, entry, () => entryRecords.get(store, entry));
      through = sequence;
    }
    return through > from ? { through, before } : undefined;
  }
}

/** When the first entry that is left is older than it is kept, where nothing is committed before. */
function nextCut(store: Store): number {
  const settings = readRetention(store)?.document;
  if (!settings?.autoDelete) return NOTHING_DUE;
  const chain = store.chain(entryRecords.collection);
  for (const { entry } of chain.after(chain.checkpoint()?.sequence ?? 0, 1)) {
    return timeOfId(entry) + settings.retentionDays * DAY_MS + 1;
  }
  return NOTHING_DUE;
}
