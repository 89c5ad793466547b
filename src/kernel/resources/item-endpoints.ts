import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type Endpoint, json, noContent, type ProblemCode } from '../../http/index.ts';
import { factsOf } from '../audit/index.ts';
import {
  boundsOf,
  entriesAnswer,
  type Family,
  listSchema,
  mapListed,
  parametersOf,
  readList,
  type ShownBy,
  singleAnswer,
  singleSchema,
} from '../lists/index.ts';
import { answerIfMay, type Caller, endpoint, type FamilyBase } from '../organizations/index.ts';
import { type AdminDependencies, afterCommit, existing, type Transaction, transact } from '../transactions/index.ts';
import { idIn, type Operation, type Resource } from './resource.ts';

type ItemResource<Document extends object> = Pick<
  Resource<Document>,
  'records' | 'path' | 'parameter' | 'tags' | 'recordId' | 'view'
>;

type Params = Readonly<Record<string, string>>;

/** Something that changes an item, or what is given to it or by it. */
interface ItemChange<Document extends object, Body> extends Operation {
  /** POST answers the item as it stands then; DELETE does in the org family. */
  readonly method: 'POST' | 'DELETE';
  /** Below the item: `members/{userId}`. */
  readonly path: string;
  readonly body?: z.ZodType<Body>;
  /** Throws unless the caller has the right, in the same snapshot. */
  readonly run: (transaction: Transaction, entry: RecordEntry<Document>, call: { body: Body; params: Params }) => void;
}

/** A list of records that belong to an item, of at most some thousands. */
interface ItemList<Document extends object, Listed> extends Operation {
  readonly path: string;
  readonly schema: z.ZodType;
  /** That of the list of all of them. */
  readonly definition: ShownBy<Listed>;
  /** In the order in which they stand where none is asked for. Called inside a snapshot, as `view`. */
  readonly of: (store: Store, entry: RecordEntry<Document>) => readonly RecordEntry<Listed>[];
  readonly view: (store: Store, listed: RecordEntry<Listed>) => object;
}

/** Endpoints below one item of a resource, in one family. */
export class ItemEndpoints<Document extends object> {
  readonly #resource: ItemResource<Document>;
  readonly #dependencies: AdminDependencies;
  readonly #family: Family;
  readonly #item: `/${string}`;

  constructor(resource: ItemResource<Document>, dependencies: AdminDependencies, base: FamilyBase, family: Family) {
    this.#resource = resource;
    this.#dependencies = dependencies;
    this.#family = family;
    this.#item = `${base}/admin/${resource.path}/{${resource.parameter}}`;
  }

  change<Body>({ method, path, right, body, run, ...spec }: ItemChange<Document, Body>): Endpoint {
    const { tags, view, records } = this.#resource;
    const schema = view.schema(this.#family);
    const isShown = method === 'POST' || this.#family === 'org';
    const errors: readonly ProblemCode[] = ['refused', 'unavailable', 'precondition_failed'];
    return endpoint({
      errors,
      ...spec,
      method,
      path: `${this.#item}/${path}` as string,
      tags,
      access: { permission: right },
      ...(body === undefined ? {} : { body }),
      responses: isShown ? { 200: singleSchema(schema) } : { 204: { description: 'It is gone.' } },
      handler: async (call) => {
        const { caller } = call;
        const params = call.params as Params;
        const id = this.#idIn(caller, params);
        const { store } = caller.organization;
        await transact(this.#dependencies, caller, factsOf(call), (transaction) => {
          transaction.require(right);
          // without a body there is none to be read
          run(transaction, existing(records.get(store, id)), { body: call.body as Body, params });
        });
        const item = afterCommit(this.#dependencies, records, store, id, (entry) =>
          view.of(store, entry, this.#family),
        );
        return isShown ? json(200, singleAnswer(item, this.#family)) : noContent();
      },
    });
  }

  list<Listed>({ path, right, schema, definition, of, view, ...spec }: ItemList<Document, Listed>): Endpoint {
    const { tags, records } = this.#resource;
    const bounds = boundsOf(this.#family);
    return endpoint({
      ...spec,
      method: 'GET',
      path: `${this.#item}/${path}` as string,
      tags,
      access: { permission: right },
      query: z.strictObject(parametersOf(definition.sorts, bounds)),
      responses: { 200: listSchema(schema) },
      handler: ({ caller, params, query }) => {
        const read = readList(query, bounds);
        const id = this.#idIn(caller, params as Params);
        return answerIfMay(this.#dependencies.engine, caller, right, () => {
          const { store } = caller.organization;
          const entry = existing(records.get(store, id));
          const listed = entriesAnswer(definition, of(store, entry), read, this.#family);
          const shown = mapListed(listed, (each) => view(store, each));
          return json(200, shown);
        });
      },
    });
  }

  #idIn(caller: Caller, params: Params): string {
    return idIn(this.#resource, this.#dependencies, caller, params);
  }
}
