import { type Engine, EngineError } from '#engine';
import type { OrganizationRecord } from '../../orgs/index.ts';
import { storeOf } from '../../orgs/index.ts';
import { systemActor } from '../entries/actor.ts';
import { type AuditMaker, auditedAs } from '../entries/audited.ts';
import { auditCollection } from '../entries/entry.ts';
import { timeOfId } from '../entries/entry-id.ts';
import { readRetention } from './settings.ts';

export interface RetentionParts {
  readonly engine: Engine;
  readonly audit: AuditMaker;
  readonly organizations: { all(): readonly OrganizationRecord[] };
}

const DAY_MS = 86_400_000;
/** Between two rounds over all organizations. */
const ROUND_MS = 60_000;
/** An entry stands in six places: more at once would hold up the commits of requests. */
const STEP_MAX = 500;
/** Organizations looked at in one turn. */
const LOOKED_MAX = 500;

/**
 * Removes entries that are older than their organization keeps them, oldest first, in bounded steps. The chain is cut
 * where they end and can be verified from there. The first step of a round leaves an entry that says so.
 */
export class RetentionEnforcer {
  readonly #parts: RetentionParts;
  #waiting: OrganizationRecord[] = [];
  #roundAt = Number.NEGATIVE_INFINITY;
  #announced: string | undefined;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  /** One commit of at most `limit` entries. Answers whether there may be more to do now. */
  async step(limit: number): Promise<boolean> {
    const { organizations, audit } = this.#parts;
    if (this.#waiting.length === 0) {
      if (audit.now() - this.#roundAt < ROUND_MS) return false;
      this.#roundAt = audit.now();
      this.#waiting = [...organizations.all()];
    }
    for (let looked = 0; looked < LOOKED_MAX; looked++) {
      const organization = this.#waiting.at(-1);
      if (organization === undefined) return false;
      if (await this.#cut(organization, limit)) return true;
      this.#waiting.pop();
    }
    return this.#waiting.length > 0;
  }

  async #cut(organization: OrganizationRecord, limit: number): Promise<boolean> {
    const { engine, audit } = this.#parts;
    const name = storeOf(organization.slug);
    try {
      const due = engine.read(() => this.#due(name, Math.min(limit, STEP_MAX)));
      if (due === undefined) return false;
      const { through, before } = due;
      const isNew = this.#announced !== `${organization.id} ${this.#roundAt}`;
      this.#announced = `${organization.id} ${this.#roundAt}`;
      const entry = isNew
        ? auditedAs(audit, { id: organization.id, store: { name } }, systemActor, undefined, {
            eventType: 'admin.action',
            action: 'audit_log.expire',
            targetType: 'audit_log',
            metadata: { before: new Date(before).toISOString() },
          })
        : [];
      await engine.submit(
        engine.command([{ op: 'cut_chain', store: name, chain: auditCollection, through }, ...entry]),
      );
      return true;
    } catch (error) {
      // deleted since it was listed
      if (error instanceof EngineError && error.code === 'unknown_store') return false;
      throw error;
    }
  }

  /** Through which entry the chain is to be cut, and entries from before which time those are. */
  #due(name: string, limit: number): { readonly through: number; readonly before: number } | undefined {
    const store = this.#parts.engine.store(name);
    const settings = readRetention(store)?.document;
    if (!settings?.autoDelete) return undefined;
    const before = this.#parts.audit.now() - settings.retentionDays * DAY_MS;
    const chain = store.chain(auditCollection);
    const from = chain.checkpoint()?.sequence ?? 0;
    let through = from;
    for (const { sequence, entry } of chain.after(from, limit)) {
      if (timeOfId(entry) >= before) break;
      through = sequence;
    }
    return through > from ? { through, before } : undefined;
  }
}
