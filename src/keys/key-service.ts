import type { Change, Engine, Precondition, Store } from '#engine';
import { forbidden, invalid, type Kept, keepAdministrator } from '../admin/index.ts';
import { type AuditMaker, audited, type RequestFacts } from '../audit/index.ts';
import {
  findPermission,
  findRole,
  getKey,
  type KeyEntry,
  type KeyRecord,
  keyRecords,
  keySubject,
  mintKey,
  type NewKey,
  restsOnRole,
} from '../directory/index.ts';
import type { Caller } from '../orgs/index.ts';
import { createApiKey, digestOf, settleRaces } from '../platform/index.ts';
import {
  type HoldingsQuestion,
  holdsPermission,
  holdsRole,
  missingPermission,
  permissionObject,
  type RightCheck,
} from '../rights/index.ts';
import { keyUseRecords } from './key-use.ts';

export interface KeyParts {
  readonly engine: Engine;
  readonly rights: RightCheck;
  readonly audit: AuditMaker;
  /** As in `AdminParts`. */
  readonly lasts: (store: Store, subject: string) => boolean;
}

export interface NewKeyRequest {
  readonly name: string;
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
  readonly expiresAt?: number | undefined;
}

/** Makes, changes and revokes the API keys of organizations. Handing out more than one holds is refused everywhere. */
export class KeyService {
  readonly #parts: KeyParts;

  constructor(parts: KeyParts) {
    this.#parts = parts;
  }

  async create(
    caller: Caller,
    facts: RequestFacts,
    request: NewKeyRequest,
  ): Promise<{ readonly entry: KeyEntry; readonly key: string }> {
    const { store } = caller.organization;
    const now = this.#parts.audit.now();
    const { name, expiresAt } = request;
    const createdBy = caller.subject ?? 'platform';
    const record: Omit<KeyRecord, 'digest' | 'tail'> = { name, createdAt: now, createdBy };
    const minted = mintKey(this.#parts.audit.newId(), expiresAt === undefined ? record : { ...record, expiresAt });
    await settleRaces(async () => {
      const { changes, preconditions } = this.#parts.engine.read(() => {
        const rests = this.#requireGivable(caller, request);
        const made = this.#creation(store, minted, request);
        const kept = this.#keep(caller, made);
        return { changes: [...made, ...kept.changes], preconditions: [...rests, ...kept.preconditions] };
      });
      await this.#submit(caller, facts, 'api_key.create', minted.id, changes, preconditions);
    });
    return { entry: { id: minted.id, version: 1, document: minted.document }, key: minted.key };
  }

  #creation(store: Store, { id, document, subject }: NewKey, { roles, permissions }: NewKeyRequest): Change[] {
    return [
      keyRecords.put(store, id, document),
      {
        op: 'write_tuples',
        store: store.name,
        tuples: [
          ...roles.map((role) => ({ object: `role:${role}`, relation: 'assignee', subject })),
          ...permissions.map((slug) => ({ object: permissionObject(slug), relation: 'granted', subject })),
        ],
      },
    ];
  }

  /** What a key may be given; answers what that judgement rests on. */
  #requireGivable(caller: Caller, { roles, permissions }: NewKeyRequest): Precondition[] {
    const now = this.#parts.audit.now();
    requireAdministration(caller);
    for (const [place, role] of roles.entries()) this.#requireRole(caller, role, place, now);
    for (const [place, permission] of permissions.entries()) this.#requirePermission(caller, permission, place, now);
    return roles.flatMap((role) => restsOnRole(caller.organization.store, role));
  }

  /** A new secret; the old one fails at once. */
  async rotate(caller: Caller, facts: RequestFacts, id: string): Promise<{ entry: KeyEntry; key: string } | undefined> {
    const key = createApiKey('admin');
    const rotatedAt = this.#parts.audit.now();
    const entry = await this.#change(caller, facts, 'api_key.rotate', id, (document) => ({
      ...document,
      digest: digestOf(key),
      tail: key.slice(-4),
      rotatedAt,
    }));
    return entry && { entry, key };
  }

  update(
    caller: Caller,
    facts: RequestFacts,
    id: string,
    changes: { readonly name?: string | undefined; readonly expiresAt?: number | null | undefined },
  ): Promise<KeyEntry | undefined> {
    return this.#change(caller, facts, 'api_key.update', id, ({ expiresAt: before, ...document }) => {
      const expiresAt = changes.expiresAt === undefined ? before : (changes.expiresAt ?? undefined);
      return {
        ...document,
        ...(changes.name === undefined ? {} : { name: changes.name }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      };
    });
  }

  /** The key, and every tuple that names it. False where there is none. */
  async revoke(caller: Caller, facts: RequestFacts, id: string): Promise<boolean> {
    const { store } = caller.organization;
    return settleRaces(async () => {
      const found = this.#parts.engine.read(() => {
        if (this.#findChangeable(caller, id) === undefined) return undefined;
        const changes: Change[] = [
          keyRecords.delete(store, id),
          keyUseRecords.delete(store, id),
          { op: 'delete_object', store: store.name, object: keySubject(id) },
        ];
        return { changes, kept: this.#keep(caller, changes) };
      });
      if (found === undefined) return false;
      const { changes, kept } = found;
      await this.#submit(caller, facts, 'api_key.revoke', id, [...changes, ...kept.changes], kept.preconditions);
      return true;
    });
  }

  async #change(
    caller: Caller,
    facts: RequestFacts,
    action: string,
    id: string,
    change: (document: KeyRecord) => KeyRecord,
  ): Promise<KeyEntry | undefined> {
    const { store } = caller.organization;
    return settleRaces(async () => {
      const found = this.#parts.engine.read(() => {
        const entry = this.#findChangeable(caller, id);
        if (entry === undefined) return undefined;
        const document = change(entry.document);
        // with an expiry, a key is no administrator for good
        const isLimited = document.expiresAt !== undefined && entry.document.expiresAt === undefined;
        const changes: Change[] = [keyRecords.put(store, id, document)];
        return { entry, document, changes, kept: this.#keep(caller, changes, isLimited ? keySubject(id) : undefined) };
      });
      if (found === undefined) return undefined;
      const { entry, document, changes, kept } = found;
      await this.#submit(
        caller,
        facts,
        action,
        id,
        [...changes, ...kept.changes],
        [keyRecords.same(store, entry), ...kept.preconditions],
      );
      return { id, version: entry.version + 1, document };
    });
  }

  #keep({ organization }: Caller, changes: readonly Change[], subject?: string): Kept {
    const now = this.#parts.audit.now();
    return keepAdministrator(this.#parts, organization, {
      changes,
      now,
      ...(subject === undefined ? {} : { subject }),
    });
  }

  /** A key with rights that the caller lacks is not the caller's to change: a new secret would be theirs. */
  #findChangeable(caller: Caller, id: string): KeyEntry | undefined {
    requireAdministration(caller);
    const entry = getKey(caller.organization.store, id);
    if (entry === undefined) return undefined;
    const lacking = missingPermission(this.#question(caller, this.#parts.audit.now()), keySubject(id));
    if (lacking !== undefined) throw forbidden(`The key holds ${lacking}, which the caller does not.`);
    return entry;
  }

  #requireRole(caller: Caller, role: string, place: number, now: number): void {
    const { store } = caller.organization;
    if (findRole(store, role) === undefined) throw invalid(`roles[${place}]`, `there is no role ${role}`);
    const lacking = holdsRole(this.#question(caller, now), role);
    if (lacking !== undefined) throw forbidden(`The role ${role} gives ${lacking}, which the caller does not hold.`);
  }

  #requirePermission(caller: Caller, permission: string, place: number, now: number): void {
    const { store } = caller.organization;
    if (findPermission(store, permission) === undefined) {
      throw invalid(`permissions[${place}]`, `there is no permission ${permission}`);
    }
    if (!holdsPermission(this.#question(caller, now), permission)) {
      throw forbidden(`The caller does not hold ${permission}.`);
    }
  }

  #question({ organization, subject, actor, scopes }: Caller, now: number): HoldingsQuestion {
    return { organization, subject, actor, scopes, rights: this.#parts.rights, now };
  }

  #submit(
    caller: Caller,
    facts: RequestFacts,
    action: string,
    id: string,
    changes: readonly Change[],
    preconditions: readonly Precondition[] = [],
  ) {
    const { engine, audit } = this.#parts;
    const entry = audited(audit, caller, facts, {
      eventType: 'admin.action',
      action,
      targetId: id,
      targetType: 'api_key',
    });
    return engine.submit(engine.command([...changes, ...entry], { preconditions }));
  }
}

/** Decided again in the snapshot that judges what may be given: the guard's was an earlier one. */
function requireAdministration(caller: Caller): void {
  if (!caller.may('settings.manage')) throw forbidden('This needs the permission settings.manage.');
}
