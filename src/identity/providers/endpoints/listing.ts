import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../../http/index.ts';
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
  sortFields,
} from '../../../kernel/lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase } from '../../../kernel/organizations/index.ts';
import type { SocialDependencies } from '../provider-changes.ts';
import { type ProviderEntry, type ProviderRecord, providerRecords } from '../provider-record.ts';
import { typeNames, typeOf } from '../provider-types.ts';
import { availableProvider, availableView, callbackUrl } from './views.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Social providers'];
const access = { permission: 'settings.read' };

const definition: ShownBy<ProviderRecord> = {
  text: ({ provider, name, clientId }) => [provider, name, clientId],
  sorts: sortFields('provider', 'name', 'createdAt'),
};

/** The list of an organization's providers: few enough to be searched as they stand. */
export function listEndpoint<T>(
  { engine, baseUrl }: SocialDependencies,
  base: FamilyBase,
  family: Family,
  item: z.ZodType<T>,
  view: (entry: ProviderEntry, orgApi: string) => T,
): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/social-providers`,
    summary: 'List social providers',
    tags,
    access,
    query: z.strictObject(parametersOf(definition.sorts, bounds)),
    responses: { 200: listSchema(item) },
    handler({ caller, query }) {
      const read = readList(query, bounds);
      return answerIfMay(engine, caller, 'settings.read', () => {
        const orgApi = orgApiOf(baseUrl, caller);
        const listed = entriesAnswer(definition, providerRecords.list(caller.organization.store), read, family);
        return json(
          200,
          mapListed(listed, (entry) => view(entry, orgApi)),
        );
      });
    },
  });
}

const typeView = z.strictObject({ type: z.string(), name: z.string(), several: z.boolean() });
const callbackView = z.strictObject({ provider: z.string(), callbackUrl: z.string() });

/** What can be configured, and what the other side has to be told. */
export function catalogueEndpoints(
  { engine, baseUrl }: SocialDependencies,
  base: FamilyBase,
  family: Family,
): Endpoint[] {
  const names = typeNames.filter((name) => family === 'tenant' || typeOf(name).inOrgFamily);
  return [
    endpoint({
      method: 'GET',
      path: `${base}/admin/social-providers/available`,
      summary: 'List the providers that can be configured, with their fields',
      tags,
      access,
      responses: { 200: singleSchema(z.array(availableProvider)) },
      handler: () => json(200, singleAnswer(names.map(availableView), family)),
    }),
    endpoint({
      method: 'GET',
      path: `${base}/admin/social-providers/types`,
      summary: 'List the types of providers',
      tags,
      access,
      responses: { 200: singleSchema(z.array(typeView)) },
      handler: () =>
        json(
          200,
          singleAnswer(
            names.map((type) => ({ type, name: typeOf(type).name, several: typeOf(type).several })),
            family,
          ),
        ),
    }),
    endpoint({
      method: 'GET',
      path: `${base}/admin/social-providers/callback-urls`,
      summary: 'List the URLs to register with the providers',
      tags,
      access,
      responses: { 200: singleSchema(z.array(callbackView)) },
      handler: ({ caller }) =>
        answerIfMay(engine, caller, 'settings.read', () => {
          const own = providerRecords.list(caller.organization.store).map(({ document }) => document.provider);
          const orgApi = orgApiOf(baseUrl, caller);
          const all = [...new Set<string>([...names, ...own])];
          return json(
            200,
            singleAnswer(
              all.map((provider) => ({ provider, callbackUrl: callbackUrl(orgApi, provider) })),
              family,
            ),
          );
        }),
    }),
  ];
}

export function orgApiOf(baseUrl: string, { organization }: Caller): string {
  return `${baseUrl}/orgs/${organization.slug}/api/v1`;
}
