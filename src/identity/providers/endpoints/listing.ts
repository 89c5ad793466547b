import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../../http/index.ts';
import {
  boundsOf,
  type Family,
  type ListQuery,
  listAnswer,
  listParameters,
  listSchema,
  readList,
  singleAnswer,
  singleSchema,
} from '../../../kernel/lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase } from '../../../kernel/organizations/index.ts';
import type { SocialDependencies } from '../provider-changes.ts';
import { type ProviderEntry, providerRecords } from '../provider-record.ts';
import { typeNames, typeOf } from '../provider-types.ts';
import { availableProvider, availableView, callbackUrl } from './views.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Social providers'];
const access = { permission: 'settings.read' };
const sorts = ['provider', 'name', 'createdAt'] as const;

const keys: Readonly<Record<string, (entry: ProviderEntry) => string | number>> = {
  provider: ({ document }) => document.provider,
  name: ({ document }) => document.name.toLowerCase(),
  createdAt: ({ document }) => document.createdAt,
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
    query: z.strictObject(listParameters(bounds, sorts)),
    responses: { 200: listSchema(item) },
    handler({ caller, query }) {
      const read = readList(query, bounds);
      return answerIfMay(engine, caller, 'settings.read', () => {
        const found = searched(providerRecords.list(caller.organization.store), read);
        const orgApi = orgApiOf(baseUrl, caller);
        const items = found.map((entry) => view(entry, orgApi));
        return json(200, listAnswer(items, read.page, family));
      });
    },
  });
}

function searched(entries: readonly ProviderEntry[], { search, sortBy, descending }: ListQuery): ProviderEntry[] {
  const wanted = search?.toLowerCase() ?? '';
  const found = entries.filter(({ document: { provider, name, clientId } }) =>
    `${provider}\n${name}\n${clientId}`.toLowerCase().includes(wanted),
  );
  const key = keys[sortBy ?? 'createdAt'] ?? (() => 0);
  const compare = (left: ProviderEntry, right: ProviderEntry): number => {
    const [one, other] = [key(left), key(right)];
    return one < other ? -1 : one > other ? 1 : left.document.number - right.document.number;
  };
  return found.sort((left, right) => (descending ? compare(right, left) : compare(left, right)));
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
