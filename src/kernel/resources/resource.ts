import type { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import type { ProblemCode } from '../../http/index.ts';
import type { FieldChange } from '../audit/index.ts';
import type { DomainEvent } from '../events/index.ts';
import type { Family, ListDefinition } from '../lists/index.ts';
import type { Caller } from '../organizations/index.ts';
import type { RecordKind } from '../records/index.ts';
import type { SystemPermission } from '../rights/index.ts';
import type { AdminDependencies, Transaction } from '../transactions/index.ts';
import type { ListFilters } from './record-list.ts';

/** What an operation is called in the OpenAPI document, and who may do it. */
export interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly right: SystemPermission;
  /** Beside those that every such operation can answer. */
  readonly errors?: readonly ProblemCode[];
}

/** One endpoint that changes: a resource can have two, to replace and to patch. */
export interface ChangeForm<Changes> {
  readonly method: 'PUT' | 'PATCH';
  readonly body: z.ZodType<Changes>;
  /** Where it is not that of the operation. */
  readonly summary?: string;
}

/** What becomes of a record. */
export interface Outcome<Document> {
  readonly document: Document;
  /** Changes beside the record, which the audit log shows as if they were part of it. */
  readonly beside?: { readonly before?: object; readonly after: object };
  /** The same as the difference that the audit log shows. */
  readonly differences?: Readonly<Record<string, FieldChange>>;
}

export interface Created<Document> extends Outcome<Document> {
  readonly id: string;
  /** What only the answer to the creation shows, beside the record: a secret. */
  readonly once?: object;
}

/** Another secret for one of them. */
export interface Rotated<Document> {
  readonly document: Document;
  /** What the answer shows beside the record, as that to the creation does. */
  readonly once: object;
}

/**
 * A kind of thing that administrators manage. From it come the endpoints that create, list, show, change and delete it,
 * in both families, with their rights, preconditions, audit entries and events. `Dependencies` is what its changes work with.
 */
export interface Resource<
  Document extends object,
  New = unknown,
  Changes = unknown,
  Dependencies extends AdminDependencies = AdminDependencies,
> {
  readonly records: RecordKind<Document>;
  /** As people and the audit log name one: `role`. */
  readonly name: string;
  /** As the answer to its creation names one, where it is not `name`: `key`. */
  readonly title?: string;
  /** Below `/admin/`: `roles`. */
  readonly path: string;
  /** Of an id in a path: `roleId`. */
  readonly parameter: string;
  readonly tags: readonly string[];
  /** Whether each gets the next number of the organization. */
  readonly isNumbered?: boolean;
  /** The id of the record that the text in a path names, called inside a snapshot. @throws ProblemError 404 */
  readonly recordId?: (store: Store, text: string) => string;
  /** One of them, as each family shows it. Called inside a snapshot. */
  readonly view: {
    readonly schema: (family: Family) => z.ZodType;
    readonly of: (store: Store, entry: RecordEntry<Document>, family: Family) => object;
  };
  /** What an audit entry says about one, beside its name and id. */
  readonly audited: (entry: RecordEntry<Document>) => { readonly targetId?: string; readonly metadata: object };
  /** Event types of audit entries, by verb; `admin.action` where there is none. */
  readonly auditTypes?: Readonly<Partial<Record<string, string>>>;
  /** Fields of which the audit log shows only that they changed, beside those whose names say that they are secret. */
  readonly hidden?: readonly string[];
  /** The events of each change, for the record as it is afterwards. */
  readonly events?: Readonly<
    Partial<Record<'create' | 'update' | 'delete', (entry: RecordEntry<Document>) => DomainEvent>>
  >;
  readonly list: Operation &
    ListFilters & {
      /** One without sorts is only searched, and is in the order of creation. */
      readonly definition: Omit<ListDefinition<Document>, 'records'>;
    };
  readonly read?: Operation;
  readonly create: Operation & {
    readonly body: (family: Family) => z.ZodType<New>;
    /** Of what the answer shows, where `once` adds to the view. */
    readonly schema?: z.ZodType;
    /** Makes the record, and changes what belongs to it. `number` is a fresh one, where the resource is numbered. */
    readonly create: (transaction: Transaction<Dependencies>, body: New, number: number) => Created<Document>;
  };
  readonly change?: Operation & {
    readonly forms: (family: Family) => readonly ChangeForm<Changes>[];
    /** Nothing is committed where the outcome is equal to what there was. */
    readonly change: (
      transaction: Transaction<Dependencies>,
      entry: RecordEntry<Document>,
      changes: Changes,
    ) => Outcome<Document>;
  };
  /** Gives one another secret; the old one fails at once. */
  readonly rotate?: Operation & {
    /** Below one of them, and, with another stroke, the verb of the audit log: `rotate-key`. */
    readonly path: string;
    readonly rotate: (transaction: Transaction<Dependencies>, entry: RecordEntry<Document>) => Rotated<Document>;
  };
  readonly delete: Operation & {
    /** Where the org family answers 200 with the id, and not 204. */
    readonly isConfirmed?: boolean;
    /** Whether the document and the audit log call it so, and not a deletion: `api_key.revoke`. */
    readonly isRevocation?: boolean;
    /** Deletes what goes with it; the record itself is deleted in any case. */
    readonly delete?: (transaction: Transaction<Dependencies>, entry: RecordEntry<Document>) => void;
  };
}

/** The id of the record that a path names. @throws ProblemError 404 */
export function idIn(
  { parameter, recordId }: Pick<Resource<never>, 'parameter' | 'recordId'>,
  { engine }: Pick<AdminDependencies, 'engine'>,
  { organization: { store } }: Caller,
  params: Readonly<Record<string, string>>,
): string {
  const text = params[parameter] ?? '';
  return recordId === undefined ? text : engine.read(() => recordId(store, text));
}
