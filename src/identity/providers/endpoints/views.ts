import { z } from 'zod';
import { isoTime } from '../../../platform/index.ts';
import type { ProviderEntry, ProviderRecord } from '../provider-record.ts';
import { type DetailName, detailSchemas, type TypeName, typeNames, typeOf } from '../provider-types.ts';

/** Fields of single types, where they are set. Secrets are never among them. */
const details = Object.fromEntries(
  (Object.keys(detailSchemas) as DetailName[]).map((name) => [name, z.string().optional()]),
);

const trustedDomains = z.array(z.string()).optional();

/** Specification, Social provider, org family. */
export const orgProvider = z.strictObject({
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
export const tenantProvider = z.strictObject({
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

/** Where providers send people back to: `base` is the organization's, from the configuration and never from a request. */
export function callbackUrl(orgApi: string, provider: string): string {
  return `${orgApi}/oauth/social/${provider}/callback`;
}

export function orgView({ id, document }: ProviderEntry, orgApi: string): z.output<typeof orgProvider> {
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

export function tenantView({ document }: { readonly document: ProviderRecord }): z.output<typeof tenantProvider> {
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

export const availableProvider = z.strictObject({
  provider: z.string(),
  name: z.string(),
  requiredFields: z.array(z.string()),
  optionalFields: z.array(z.string()),
  defaultScopes: z.array(z.string()),
});

export function availableView(provider: TypeName): z.output<typeof availableProvider> {
  const { name, required, optional, defaultScopes } = typeOf(provider);
  return {
    provider,
    name,
    requiredFields: [...required],
    optionalFields: [...optional],
    defaultScopes: [...defaultScopes],
  };
}
