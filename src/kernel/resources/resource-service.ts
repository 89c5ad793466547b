import type { RecordEntry } from '#engine';
import { type AuditEvent, diff, type RequestFacts } from '../audit/index.ts';
import type { Caller } from '../organizations/index.ts';
import { type AdminDependencies, type Numbers, type Transaction, transact } from '../transactions/index.ts';
import type { Created, Resource, Rotated } from './resource.ts';

export interface ResourceDependencies extends AdminDependencies {
  readonly numbers: Pick<Numbers, 'next'>;
}

/** Who asks, by which request. */
export interface Request {
  readonly caller: Caller;
  readonly facts: RequestFacts;
}

/** The changes of one resource: each is one transaction. */
export class ResourceService<Document extends object, New, Changes, Dependencies extends AdminDependencies> {
  readonly #resource: Resource<Document, New, Changes, Dependencies>;
  readonly #dependencies: ResourceDependencies & Dependencies;

  constructor(
    resource: Resource<Document, New, Changes, Dependencies>,
    dependencies: ResourceDependencies & Dependencies,
  ) {
    this.#resource = resource;
    this.#dependencies = dependencies;
  }

  async create({ caller, facts }: Request, body: New): Promise<Pick<Created<Document>, 'id' | 'once'>> {
    const { records, create, isNumbered = false } = this.#resource;
    const { name } = caller.organization.store;
    const number = isNumbered ? await this.#dependencies.numbers.next(name, records.collection) : 0;
    return transact(this.#dependencies, caller, facts, (transaction) => {
      transaction.require(create.right);
      const { id, document, beside, once = {} } = create.create(transaction, body, number);
      transaction.put(records, id, document);
      this.#tell(transaction, 'create', { id, version: 1, document }, beside?.after);
      return { id, once };
    });
  }

  change(
    { caller, facts }: Request,
    change: NonNullable<Resource<Document, New, Changes, Dependencies>['change']>,
    id: string,
    changes: Changes,
  ): Promise<string> {
    const { records, hidden } = this.#resource;
    return transact(this.#dependencies, caller, facts, (transaction) => {
      transaction.require(change.right);
      const entry = this.#find(transaction, id);
      const { document: changed, beside, differences } = change.change(transaction, entry, changes);
      const own = diff({ ...entry.document, ...beside?.before }, { ...changed, ...beside?.after }, hidden);
      const difference = { ...own, ...differences };
      if (Object.keys(difference).length === 0) return transaction.drop(id);
      const document = 'updatedAt' in changed ? { ...changed, updatedAt: transaction.now } : changed;
      transaction.put(records, id, document);
      this.#tell(transaction, 'update', { ...entry, document }, { changes: difference });
      return id;
    });
  }

  rotate(
    { caller, facts }: Request,
    { right, path, rotate }: NonNullable<Resource<Document, New, Changes, Dependencies>['rotate']>,
    id: string,
  ): Promise<Pick<Created<Document>, 'id'> & Pick<Rotated<Document>, 'once'>> {
    const { records } = this.#resource;
    return transact(this.#dependencies, caller, facts, (transaction) => {
      transaction.require(right);
      const entry = this.#find(transaction, id);
      const { document, once } = rotate(transaction, entry);
      transaction.put(records, id, document);
      transaction.audit(auditEventOf(this.#resource, path.replaceAll('-', '_'), { ...entry, document }));
      return { id, once };
    });
  }

  delete({ caller, facts }: Request, id: string): Promise<string> {
    const { records, delete: deletion } = this.#resource;
    return transact(this.#dependencies, caller, facts, (transaction) => {
      transaction.require(deletion.right);
      const entry = this.#find(transaction, id);
      deletion.delete?.(transaction, entry);
      transaction.delete(records, id);
      this.#tell(transaction, 'delete', entry);
      return id;
    });
  }

  #find(transaction: Transaction, id: string): RecordEntry<Document> {
    return transaction.existing(this.#resource.records, id);
  }

  #tell(transaction: Transaction, verb: Verb, entry: RecordEntry<Document>, details: object = {}): void {
    const auditVerb = verb === 'delete' && this.#resource.delete.isRevocation ? 'revoke' : verb;
    transaction.audit(auditEventOf(this.#resource, auditVerb, entry, details));
    const event = this.#resource.events?.[verb]?.(entry);
    if (event !== undefined) transaction.emit(event);
  }
}

/** How the audit log tells what was done to a resource. */
export function auditEventOf<Document extends object>(
  { name, audited, auditTypes }: Pick<Resource<Document>, 'name' | 'audited' | 'auditTypes'>,
  verb: string,
  entry: RecordEntry<Document>,
  details: object = {},
): AuditEvent {
  const { targetId = entry.id, metadata } = audited(entry);
  return {
    eventType: auditTypes?.[verb] ?? 'admin.action',
    action: `${name}.${verb}`,
    targetId,
    targetType: name,
    metadata: { ...metadata, ...details },
  };
}

type Verb = 'create' | 'update' | 'delete';
