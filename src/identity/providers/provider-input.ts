import type { z } from 'zod';
import { invalid, refused, usableAddress } from '../../kernel/transactions/index.ts';
import type { OutboundGuard } from '../../platform/index.ts';
import type { ProviderRecord } from './provider-record.ts';
import {
  type DetailName,
  detailNames,
  detailSchemas,
  domainList,
  type FieldName,
  type SecretName,
  secretNames,
  secretSchemas,
  type TypeName,
  typeOf,
} from './provider-types.ts';

/** What a request says of a provider, whichever family it came through. */
export interface ProviderInput {
  readonly name?: string | undefined;
  readonly clientId?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly allowSignup?: boolean | undefined;
  readonly autoLinkUsers?: boolean | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly trustedDomains?: readonly string[] | undefined;
  /** Null takes an optional one away. */
  readonly details: Readonly<Partial<Record<DetailName, string | null | undefined>>>;
  readonly secrets: Readonly<Partial<Record<SecretName, string | undefined>>>;
}

export type InputMode = 'replace' | 'merge';

/** Members of a body that are named alike in both families. */
export const typedFields = {
  hostedDomain: detailSchemas.hostedDomain.nullable().optional(),
  orgId: detailSchemas.orgId.nullable().optional(),
  teamId: detailSchemas.teamId.nullable().optional(),
  keyId: detailSchemas.keyId.nullable().optional(),
  issuerUrl: detailSchemas.issuerUrl.nullable().optional(),
  entryPoint: detailSchemas.entryPoint.nullable().optional(),
  certificate: detailSchemas.certificate.nullable().optional(),
  metadataUrl: detailSchemas.metadataUrl.nullable().optional(),
  clientSecret: secretSchemas.clientSecret.describe('Write only').optional(),
  privateKey: secretSchemas.privateKey.describe('Write only').optional(),
  trustedDomains: domainList.describe('Its word about email addresses of these domains is believed').optional(),
};

export type TypedFields = z.output<z.ZodObject<typeof typedFields>>;

export function detailsOf(body: TypedFields): Pick<ProviderInput, 'details' | 'secrets' | 'trustedDomains'> {
  const pick = <Name extends keyof TypedFields>(names: readonly Name[]) =>
    Object.fromEntries(names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));
  const { trustedDomains } = body;
  return { details: pick(detailNames), secrets: pick(secretNames), trustedDomains };
}

/** What the fields become; secrets as they were given, beside those that are stored. */
export function mergedDetails(
  before: ProviderRecord | undefined,
  { details }: ProviderInput,
  mode: InputMode,
): ProviderRecord['details'] {
  const all = { ...(mode === 'merge' ? before?.details : {}), ...details };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== undefined));
}

/**
 * Whether a provider of this type can be so.
 * @throws ProblemError 400 naming the field
 */
export function requireFields(
  type: TypeName,
  input: ProviderInput,
  after: Pick<ProviderRecord, 'details' | 'secrets' | 'clientId'>,
): void {
  const { required, optional } = typeOf(type);
  const known: readonly FieldName[] = [...required, ...optional];
  for (const name of [...detailNames, ...secretNames]) {
    const given = { ...input.details, ...input.secrets }[name];
    if (given !== undefined && !known.includes(name)) throw invalid(name, `is not known for ${type}`);
  }
  const values: Readonly<Partial<Record<FieldName, string>>> = {
    ...after.details,
    ...after.secrets,
    clientId: after.clientId,
  };
  for (const name of required) if (!values[name]) throw invalid(name, `is required for ${type}`);
}

const addresses = ['issuerUrl', 'entryPoint', 'metadataUrl'] as const satisfies readonly DetailName[];

/** @throws ProblemError 400 */
export function requireAddresses(guard: OutboundGuard, { details }: ProviderInput): void {
  for (const name of addresses) {
    const value = details[name];
    if (typeof value === 'string') usableAddress(name, () => guard.requireUrl(value));
  }
}

/** Whoever may change the issuer must not learn the secret by naming an issuer of their own: 422. */
export function keepSecretWithIssuer(
  before: ProviderRecord | undefined,
  after: ProviderRecord['details'],
  input: ProviderInput,
): void {
  if (before === undefined || before.details.issuerUrl === after.issuerUrl || input.secrets.clientSecret !== undefined)
    return;
  throw refused('The issuer changes: send clientSecret again.', 'clientSecret');
}

/** Whether sign-in could use it: of SAML the identity provider must be known. */
export function isUsable(type: TypeName, { entryPoint, certificate, metadataUrl }: ProviderRecord['details']): boolean {
  return type !== 'saml' || metadataUrl !== undefined || (entryPoint !== undefined && certificate !== undefined);
}
