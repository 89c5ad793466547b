import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type Endpoint, json, noContent, problem } from '../../http/index.ts';
import { factsOf } from '../audit/index.ts';
import {
  createdAnswer,
  createdSchema,
  type Family,
  type RecordLists,
  singleAnswer,
  singleSchema,
} from '../lists/index.ts';
import { answerIfMay, type Caller, endpoint, type FamilyBase } from '../organizations/index.ts';
import type { QueryHandler, QueryPool } from '../queries/index.ts';
import { type AdminDependencies, afterCommit } from '../transactions/index.ts';
import { described, type RecordList, recordListEndpoint, recordListPages } from './record-list.ts';
import { idIn, type Resource } from './resource.ts';
import { type Request, type ResourceDependencies, ResourceService } from './resource-service.ts';

const deleted = z.strictObject({ id: z.string(), deleted: z.literal(true) });

export interface ResourceEndpointDependencies extends ResourceDependencies {
  readonly queryPool: QueryPool;
}

/** What lists, creates, shows, changes, deletes and rotates a resource, in one family. */
export function resourceEndpoints<Document extends object, New, Changes, Dependencies extends AdminDependencies>(
  resource: Resource<Document, New, Changes, Dependencies>,
  dependencies: ResourceEndpointDependencies & Dependencies,
  base: FamilyBase,
  family: Family,
): Endpoint[] {
  const make = new ResourceEndpoints(resource, dependencies, base, family);
  return [make.list(), make.create(), ...make.read(), ...make.change(), make.delete(), ...make.rotate()];
}

class ResourceEndpoints<Document extends object, New, Changes, Dependencies extends AdminDependencies> {
  readonly #resource: Resource<Document, New, Changes, Dependencies>;
  readonly #dependencies: ResourceEndpointDependencies & Dependencies;
  readonly #service: ResourceService<Document, New, Changes, Dependencies>;
  readonly #base: FamilyBase;
  readonly #family: Family;
  readonly #schema: z.ZodType;
  /** Paths of all, and of one. */
  readonly #all: `/${string}`;
  readonly #one: `/${string}`;

  constructor(
    resource: Resource<Document, New, Changes, Dependencies>,
    dependencies: ResourceEndpointDependencies & Dependencies,
    base: FamilyBase,
    family: Family,
  ) {
    this.#resource = resource;
    this.#dependencies = dependencies;
    this.#service = new ResourceService(resource, dependencies);
    this.#base = base;
    this.#family = family;
    this.#schema = resource.view.schema(family);
    this.#all = `${base}/admin/${resource.path}`;
    this.#one = `${this.#all}/{${resource.parameter}}`;
  }

  list(): Endpoint {
    return recordListEndpoint(listOf(this.#resource), this.#dependencies, this.#base, this.#family, this.#schema);
  }

  create(): Endpoint {
    const { create, name, title = name, tags } = this.#resource;
    return endpoint({
      ...described(create, 'unavailable', 'precondition_failed'),
      method: 'POST',
      path: this.#all as string,
      tags,
      body: create.body(this.#family),
      responses: { 201: createdSchema(create.schema ?? this.#schema) },
      handler: async (call) => {
        const request = { caller: call.caller, facts: factsOf(call) };
        const { id, once } = await this.#service.create(request, call.body);
        const item = { ...this.#shown(request, id), ...once };
        return json(201, createdAnswer(item, this.#family, `The ${title} was created.`));
      },
    });
  }

  read(): Endpoint[] {
    const { read, tags, records } = this.#resource;
    if (read === undefined) return [];
    return [
      endpoint({
        ...described(read),
        method: 'GET',
        path: this.#one as string,
        tags,
        responses: { 200: singleSchema(this.#schema) },
        handler: ({ caller, params }) => {
          const id = this.#idIn(caller, params);
          return answerIfMay(this.#dependencies.engine, caller, read.right, () => {
            const { store } = caller.organization;
            const entry = records.get(store, id);
            return entry === undefined ? problem('not_found') : json(200, this.#answer(store, entry));
          });
        },
      }),
    ];
  }

  change(): Endpoint[] {
    const { change, tags } = this.#resource;
    if (change === undefined) return [];
    const spec = {
      ...described(change, 'unavailable', 'precondition_failed'),
      path: this.#one as string,
      tags,
      responses: { 200: singleSchema(this.#schema) },
    };
    return change.forms(this.#family).map((form) =>
      endpoint({
        ...spec,
        ...form,
        handler: async (call) => {
          const request = { caller: call.caller, facts: factsOf(call) };
          const id = await this.#service.change(request, change, this.#idIn(call.caller, call.params), call.body);
          return json(200, singleAnswer(this.#shown(request, id), this.#family));
        },
      }),
    );
  }

  delete(): Endpoint {
    const { delete: deletion, tags } = this.#resource;
    const { isConfirmed = false, isRevocation = false } = deletion;
    const isShown = isConfirmed && this.#family === 'org';
    return endpoint({
      ...described(deletion, 'unavailable', 'precondition_failed'),
      method: 'DELETE',
      path: this.#one as string,
      tags,
      responses: isShown
        ? { 200: singleSchema(deleted) }
        : { 204: { description: isRevocation ? 'It is revoked.' : 'It is gone.' } },
      handler: async (call) => {
        const id = this.#idIn(call.caller, call.params);
        await this.#service.delete({ caller: call.caller, facts: factsOf(call) }, id);
        return isShown ? json(200, singleAnswer({ id, deleted: true }, 'org')) : noContent();
      },
    });
  }

  rotate(): Endpoint[] {
    const { rotate, create, tags } = this.#resource;
    if (rotate === undefined) return [];
    return [
      endpoint({
        ...described(rotate, 'unavailable', 'precondition_failed'),
        method: 'POST',
        path: `${this.#one}/${rotate.path}` as string,
        tags,
        responses: { 200: singleSchema(create.schema ?? this.#schema) },
        handler: async (call) => {
          const request = { caller: call.caller, facts: factsOf(call) };
          const { id, once } = await this.#service.rotate(request, rotate, this.#idIn(call.caller, call.params));
          return json(200, singleAnswer({ ...this.#shown(request, id), ...once }, this.#family));
        },
      }),
    ];
  }

  #idIn(caller: Caller, params: unknown): string {
    return idIn(this.#resource, this.#dependencies, caller, params as Readonly<Record<string, string>>);
  }

  /** As it stands after the commit. */
  #shown({ caller }: Request, id: string): object {
    const { store } = caller.organization;
    const { records, view } = this.#resource;
    return afterCommit(this.#dependencies, records, store, id, (entry) => view.of(store, entry, this.#family));
  }

  #answer(store: Store, entry: RecordEntry<Document>): unknown {
    return singleAnswer(this.#resource.view.of(store, entry, this.#family), this.#family);
  }
}

/** The pages of its list, in the query pool. */
export function resourceQuery<Document extends object, New, Changes, Dependencies extends AdminDependencies>(
  resource: Resource<Document, New, Changes, Dependencies>,
  lists: RecordLists,
): QueryHandler {
  return recordListPages(lists, listOf(resource), resource.view.of);
}

function listOf<Document extends object>({
  records,
  list,
  path,
  tags,
}: Pick<Resource<Document>, 'records' | 'list' | 'path' | 'tags'>): RecordList<Document> {
  return { ...list, path, tags, definition: { ...list.definition, records } };
}
