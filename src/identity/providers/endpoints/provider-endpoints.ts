import { z } from 'zod';
import { type Endpoint, json, noContent, type Reply } from '../../../http/index.ts';
import { factsOf, type RequestFacts } from '../../../kernel/audit/index.ts';
import {
  boundsOf,
  createdAnswer,
  createdSchema,
  entriesAnswer,
  listSchema,
  mapListed,
  parametersOf,
  readList,
  type ShownBy,
  singleAnswer,
  singleSchema,
  sortFields,
} from '../../../kernel/lists/index.ts';
import {
  answerIfMay,
  type Caller,
  endpoint,
  type FamilyBase,
  type Organization,
} from '../../../kernel/organizations/index.ts';
import { afterCommit, existing, transact } from '../../../kernel/transactions/index.ts';
import {
  createProvider,
  deleteProvider,
  type NewProvider,
  type SocialDependencies,
  updateProvider,
  upsertProvider,
} from '../provider-changes.ts';
import type { ProviderInput } from '../provider-input.ts';
import { callbackUrl, type ProviderEntry, type ProviderRecord, providerRecords } from '../provider-record.ts';
import { type TypeName, typeNames, typeOf } from '../provider-types.ts';
import { orgReplace, orgShape, type ProviderShape, wantedByOrg } from './shapes.ts';

const tags = ['Social providers'];
const reading = { tags, access: { permission: 'settings.read' } };
const writing = { tags, access: { permission: 'settings.manage' } };

/** Few enough to be searched as they stand. */
const definition: ShownBy<ProviderRecord> = {
  text: ({ provider, name, clientId }) => [provider, name, clientId],
  sorts: sortFields('provider', 'name', 'createdAt'),
};

const typeView = z.strictObject({ type: z.string(), name: z.string(), several: z.boolean() });
const callbackView = z.strictObject({ provider: z.string(), callbackUrl: z.string() });
const availableView = z.strictObject({
  provider: z.string(),
  name: z.string(),
  requiredFields: z.array(z.string()),
  optionalFields: z.array(z.string()),
  defaultScopes: z.array(z.string()),
});

/** `/admin/social-providers` in one family. */
export function providerEndpoints<New, Changes>(
  dependencies: SocialDependencies,
  base: FamilyBase,
  shape: ProviderShape<New, Changes>,
): Endpoint[] {
  const make = new ProviderEndpoints(dependencies, base, shape);
  const [replace, switches] =
    shape.family === 'org' ? [[make.replace()], [make.switch(true), make.switch(false)]] : [[], []];
  const own = [make.create(), ...replace, make.read(), make.change(), make.delete(), ...switches];
  return [make.list(), make.available(), make.types(), make.callbackUrls(), ...own];
}

type Params = Readonly<Record<string, string>>;

class ProviderEndpoints<New, Changes> {
  readonly #dependencies: SocialDependencies;
  readonly #shape: ProviderShape<New, Changes>;
  /** Paths of all, and of one. */
  readonly #all: string;
  readonly #one: string;
  readonly #answered: z.ZodType;
  /** Types that this family makes. */
  readonly #types: readonly TypeName[];

  constructor(dependencies: SocialDependencies, base: FamilyBase, shape: ProviderShape<New, Changes>) {
    this.#dependencies = dependencies;
    this.#shape = shape;
    this.#all = `${base}/admin/social-providers`;
    this.#one = `${this.#all}/{${shape.parameter}}`;
    this.#answered = singleSchema(shape.schema);
    this.#types = typeNames.filter((name) => shape.family === 'tenant' || typeOf(name).inOrgFamily);
  }

  list(): Endpoint {
    const { family, schema } = this.#shape;
    const bounds = boundsOf(family);
    return endpoint({
      ...reading,
      method: 'GET',
      path: this.#all,
      summary: 'List social providers',
      query: z.strictObject(parametersOf(definition.sorts, bounds)),
      responses: { 200: listSchema(schema) },
      handler: ({ caller, query }) => {
        const read = readList(query, bounds);
        return this.#answer(caller, ({ store }) => {
          const listed = entriesAnswer(definition, providerRecords.list(store), read, family);
          const shown = mapListed(listed, (entry) => this.#view(entry, caller));
          return json(200, shown);
        });
      },
    });
  }

  available(): Endpoint {
    return endpoint({
      ...reading,
      method: 'GET',
      path: `${this.#all}/available`,
      summary: 'List the providers that can be configured, with their fields',
      responses: { 200: singleSchema(z.array(availableView)) },
      handler: () =>
        this.#single(
          this.#types.map((provider) => {
            const { name, required, optional, defaultScopes } = typeOf(provider);
            return { provider, name, requiredFields: required, optionalFields: optional, defaultScopes };
          }),
        ),
    });
  }

  types(): Endpoint {
    return endpoint({
      ...reading,
      method: 'GET',
      path: `${this.#all}/types`,
      summary: 'List the types of providers',
      responses: { 200: singleSchema(z.array(typeView)) },
      handler: () =>
        this.#single(this.#types.map((type) => ({ type, name: typeOf(type).name, several: typeOf(type).several }))),
    });
  }

  callbackUrls(): Endpoint {
    return endpoint({
      ...reading,
      method: 'GET',
      path: `${this.#all}/callback-urls`,
      summary: 'List the URLs to register with the providers',
      responses: { 200: singleSchema(z.array(callbackView)) },
      handler: ({ caller }) =>
        this.#answer(caller, ({ store }) => {
          const own = providerRecords.list(store).map(({ document }) => document.provider);
          const all = [...new Set<string>([...this.#types, ...own])];
          const orgApi = this.#orgApi(caller);
          return this.#single(all.map((provider) => ({ provider, callbackUrl: callbackUrl(orgApi, provider) })));
        }),
    });
  }

  create(): Endpoint {
    const { family, schema, inputOf } = this.#shape;
    const { wanted, ...spec } = this.#shape.create;
    return endpoint({
      ...writing,
      ...spec,
      method: 'POST',
      path: this.#all,
      summary: 'Configure a social provider',
      responses: { 201: createdSchema(schema) },
      errors: ['conflict', 'refused', 'unavailable'],
      handler: async (call) => {
        const { caller, body } = call;
        const id = await createProvider(this.#dependencies, caller, factsOf(call), wanted(body), inputOf(body));
        return json(201, createdAnswer(this.#shown(id, caller), family, 'The provider was configured.'));
      },
    });
  }

  replace(): Endpoint {
    return endpoint({
      ...writing,
      method: 'PUT',
      path: this.#one,
      summary: 'Configure a social provider, or replace its configuration',
      description: 'A secret that is left out stays. Several of one type are told apart as `oidc-acme`.',
      body: orgReplace,
      responses: { 200: this.#answered, 201: this.#answered },
      errors: ['refused', 'unavailable'],
      handler: async (call) => {
        const { caller, params, body } = call;
        const id = this.#idIn(params);
        const find = orgShape.finderOf(id);
        const known = this.#dependencies.engine.read(() => find(caller.organization.store))?.document;
        const wanted: NewProvider =
          known === undefined ? wantedByOrg(id, 'path.providerId') : { type: known.type, identifier: known.provider };
        const input = orgShape.inputOf(body);
        const saved = await upsertProvider(this.#dependencies, caller, factsOf(call), find, wanted, input);
        return this.#single(this.#shown(saved.id, caller), saved.created ? 201 : 200);
      },
    });
  }

  read(): Endpoint {
    return endpoint({
      ...reading,
      method: 'GET',
      path: this.#one,
      summary: 'Get a social provider',
      responses: { 200: this.#answered },
      handler: ({ caller, params }) =>
        this.#answer(caller, ({ store }) => {
          const entry = existing(this.#shape.finderOf(this.#idIn(params))(store));
          return this.#single(this.#view(entry, caller));
        }),
    });
  }

  change(): Endpoint {
    const { change, inputOf } = this.#shape;
    return endpoint({
      ...writing,
      ...change,
      path: this.#one,
      summary: 'Change a social provider',
      responses: { 200: this.#answered },
      errors: ['refused', 'unavailable'],
      handler: (call) => this.#updated(call, inputOf(call.body)),
    });
  }

  delete(): Endpoint {
    return endpoint({
      ...writing,
      method: 'DELETE',
      path: this.#one,
      summary: 'Remove a social provider',
      description: 'Nobody signs in through it any more.',
      responses: { 204: { description: 'It is gone.' } },
      errors: ['unavailable'],
      handler: async (call) => {
        const find = this.#shape.finderOf(this.#idIn(call.params));
        await transact(this.#dependencies, call.caller, factsOf(call), (each) => deleteProvider(each, find));
        return noContent();
      },
    });
  }

  switch(enabled: boolean): Endpoint {
    return endpoint({
      ...writing,
      method: 'POST',
      path: `${this.#one}/${enabled ? 'enable' : 'disable'}` as string,
      summary: enabled ? 'Enable a social provider' : 'Disable a social provider',
      responses: { 200: this.#answered },
      errors: ['refused', 'unavailable'],
      handler: (call) => this.#updated(call, { enabled, details: {}, secrets: {} }),
    });
  }

  async #updated(call: RequestFacts & { caller: Caller; params: Params }, input: ProviderInput): Promise<Reply> {
    const { caller, params } = call;
    const find = this.#shape.finderOf(this.#idIn(params));
    const id = await updateProvider(this.#dependencies, caller, factsOf(call), find, input);
    return this.#single(this.#shown(id, caller));
  }

  #answer(caller: Caller, answer: (organization: Organization) => Reply) {
    return answerIfMay(this.#dependencies.engine, caller, 'settings.read', () => answer(caller.organization));
  }

  #single(item: unknown, status: 200 | 201 = 200): Reply {
    return json(status, singleAnswer(item, this.#shape.family));
  }

  /** As it stands after the commit. */
  #shown(id: string, caller: Caller): object {
    const { store } = caller.organization;
    return afterCommit(this.#dependencies, providerRecords, store, id, (entry) => this.#view(entry, caller));
  }

  #view(entry: ProviderEntry, caller: Caller): object {
    return this.#shape.view(entry, this.#orgApi(caller));
  }

  #orgApi({ organization }: Caller): string {
    return `${this.#dependencies.baseUrl}/orgs/${organization.slug}/api/v1`;
  }

  #idIn(params: Params): string {
    return params[this.#shape.parameter] ?? '';
  }
}
