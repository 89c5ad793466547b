import { z } from 'zod';
import type { Family } from '../../../kernel/lists/index.ts';
import { invalid, numberInPath, writableBody } from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';
import type { Finder, NewProvider } from '../provider-changes.ts';
import { detailsOf, type ProviderInput, typedFields } from '../provider-input.ts';
import {
  callbackUrl,
  findByNumber,
  findProvider,
  type ProviderEntry,
  type ProviderRecord,
} from '../provider-record.ts';
import {
  clientId,
  detailNames,
  providerName,
  scopeList,
  typeNames,
  typeOf,
  typeOfIdentifier,
} from '../provider-types.ts';

/** What a family has of its own: how it names providers, shows them, and is told of them. */
export interface ProviderShape<New, Changes> {
  readonly family: Family;
  /** Of an id in a path. */
  readonly parameter: string;
  readonly finderOf: (id: string) => Finder;
  readonly schema: z.ZodType;
  readonly view: (entry: ProviderEntry, orgApi: string) => object;
  readonly create: {
    readonly description?: string;
    readonly body: z.ZodType<New>;
    readonly wanted: (body: New) => NewProvider;
  };
  readonly change: {
    readonly method: 'PUT' | 'PATCH';
    readonly description?: string;
    readonly body: z.ZodType<Changes>;
  };
  readonly inputOf: (body: New | Changes) => ProviderInput;
}

/** Fields of single types, where they are set. Secrets are never among them. */
const details = Object.fromEntries(detailNames.map((name) => [name, z.string().optional()]));

const trustedDomains = z.array(z.string()).optional();

/** Specification, Social provider, org family. */
const orgProvider = z.strictObject({
  id: z.string(),
  provider: z.string(),
  displayName: z.string(),
  clientId: z.string(),
  enabled: z.boolean(),
  requestedScopes: z.array(z.string()),
  callbackUrl: z.string(),
  createdAt: z.string(),
  trustedDomains,
  ...details,
});

/** Specification, Social provider, tenant family. */
const tenantProvider = z.strictObject({
  id: z.int(),
  type: z.enum(typeNames),
  name: z.string(),
  clientId: z.string(),
  isEnabled: z.boolean(),
  allowSignup: z.boolean(),
  autoLinkUsers: z.boolean(),
  scopes: z.array(z.string()),
  trustedDomains,
  ...details,
});

function orgView({ id, document }: ProviderEntry, orgApi: string): z.output<typeof orgProvider> {
  const { provider, name, clientId, enabled, scopes, createdAt } = document;
  return {
    id,
    provider,
    displayName: name,
    clientId,
    enabled,
    requestedScopes: [...scopes],
    callbackUrl: callbackUrl(orgApi, provider),
    createdAt: isoTime(createdAt),
    ...trusted(document),
    ...document.details,
  };
}

function tenantView({ document }: ProviderEntry): z.output<typeof tenantProvider> {
  const { number, type, name, clientId, enabled, allowSignup, autoLinkUsers, scopes } = document;
  return {
    id: number,
    type,
    name,
    clientId,
    isEnabled: enabled,
    allowSignup,
    autoLinkUsers,
    scopes: [...scopes],
    ...trusted(document),
    ...document.details,
  };
}

function trusted({ trustedDomains: domains }: ProviderRecord): { trustedDomains?: string[] } {
  return domains === undefined ? {} : { trustedDomains: [...domains] };
}

const writtenByOrg = {
  ...typedFields,
  displayName: providerName.optional(),
  enabled: z.boolean().optional(),
  requestedScopes: scopeList.optional(),
};
const readByOrg = ['id', 'callbackUrl', 'createdAt'];
const orgCreate = writableBody({ ...writtenByOrg, provider: z.string().min(1).max(128), clientId }, readByOrg);
const orgPatch = writableBody({ ...writtenByOrg, clientId: clientId.optional() }, [...readByOrg, 'provider']);
/** Of the org family alone: makes a provider, or replaces it. */
export const orgReplace = writableBody({ ...writtenByOrg, clientId }, [...readByOrg, 'provider']);

/** A provider is known by its identifier, which is its type's name. */
export const orgShape: ProviderShape<z.output<typeof orgCreate>, z.output<typeof orgPatch>> = {
  family: 'org',
  parameter: 'providerId',
  finderOf: (id) => (store) => findProvider(store, id),
  schema: orgProvider,
  view: orgView,
  create: { body: orgCreate, wanted: ({ provider }) => wantedByOrg(provider, 'provider') },
  change: { method: 'PATCH', body: orgPatch },
  inputOf({ displayName: name, enabled, requestedScopes: scopes, clientId: id, ...more }) {
    return { name, clientId: id, enabled, scopes, ...detailsOf(more) };
  },
};

export function wantedByOrg(identifier: string, path: string): NewProvider {
  const type = typeOfIdentifier(identifier);
  if (type === undefined || !typeOf(type).inOrgFamily) throw invalid(path, 'is not a type of provider');
  return { type, identifier };
}

const writtenByTenant = {
  ...typedFields,
  name: providerName.optional(),
  isEnabled: z.boolean().optional(),
  allowSignup: z.boolean().optional(),
  autoLinkUsers: z.boolean().optional(),
  scopes: scopeList.optional(),
};
const tenantCreate = z.strictObject({ ...writtenByTenant, type: z.enum(typeNames), clientId });
const tenantChange = writableBody({ ...writtenByTenant, clientId: clientId.optional() }, ['id', 'type']);

/** A provider is known by its number. */
export const tenantShape: ProviderShape<z.output<typeof tenantCreate>, z.output<typeof tenantChange>> = {
  family: 'tenant',
  parameter: 'provider_id',
  finderOf(id) {
    const number = numberInPath(id);
    return (store) => findByNumber(store, number);
  },
  schema: tenantProvider,
  view: tenantView,
  create: {
    description: 'Of oidc, the configuration is discovered from `issuerUrl`. Of oidc and saml there may be several.',
    body: tenantCreate,
    wanted: ({ type }) => ({ type, identifier: undefined }),
  },
  change: { method: 'PUT', description: 'What is left out stays.', body: tenantChange },
  inputOf({ name, isEnabled: enabled, allowSignup, autoLinkUsers, scopes, clientId: id, ...more }) {
    return { name, clientId: id, enabled, allowSignup, autoLinkUsers, scopes, ...detailsOf(more) };
  },
};
