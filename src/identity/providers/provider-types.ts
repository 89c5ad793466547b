import { z } from 'zod';

const word = (max: number): z.ZodType<string> =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters');

const URL_LENGTH_MAX = 2048;
const PEM_LENGTH_MAX = 16 * 1024;

const url: z.ZodType<string> = z.string().min(1).max(URL_LENGTH_MAX);

const pem = (label: string): z.ZodType<string> => {
  const form = new RegExp(
    `^\\s*-----BEGIN (?:EC )?${label}-----\\s[A-Za-z0-9+/=\\s]+-----END (?:EC )?${label}-----\\s*$`,
  );
  return z.string().max(PEM_LENGTH_MAX).regex(form, `must be PEM: ${label}`);
};

/** What is configured beside the client id and differs from type to type. */
export const detailSchemas = {
  /** google: people of this Workspace domain alone. */
  hostedDomain: z
    .string()
    .max(253)
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/, 'must be a domain'),
  /** microsoft: people of this directory alone. */
  orgId: z
    .string()
    .max(128)
    .regex(/^[A-Za-z0-9][A-Za-z0-9.-]*$/, 'must be the id or the domain of a directory'),
  teamId: z
    .string()
    .max(64)
    .regex(/^[A-Za-z0-9]+$/, 'must be letters and digits'),
  keyId: z
    .string()
    .max(64)
    .regex(/^[A-Za-z0-9]+$/, 'must be letters and digits'),
  issuerUrl: url,
  /** saml: where people are sent. */
  entryPoint: url,
  /** saml: what assertions are signed with. */
  certificate: pem('CERTIFICATE'),
  /** saml: where both are told, instead. */
  metadataUrl: url,
} as const;

export const secretSchemas = {
  clientSecret: word(4096),
  privateKey: pem('PRIVATE KEY'),
} as const;

export const clientId: z.ZodType<string> = word(512);
export const providerName: z.ZodType<string> = word(200);
export const scopeList = z
  .array(
    z
      .string()
      .max(256)
      // RFC 6749, 3.3
      .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope: printable ASCII without blanks, quotes and backslashes'),
  )
  .max(50)
  .refine((list) => new Set(list).size === list.length, 'must not name a scope twice');

/** Domains of email addresses for which a provider's word is taken: see `trustedDomains` of a record. */
export const domainList = z
  .array(
    z
      .string()
      .max(253)
      .regex(
        /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/,
        'must be a domain in lower case',
      ),
  )
  .max(50)
  .refine((list) => new Set(list).size === list.length, 'must not name a domain twice');

export type DetailName = keyof typeof detailSchemas;
export type SecretName = keyof typeof secretSchemas;
export const detailNames = Object.keys(detailSchemas) as DetailName[];
export const secretNames = Object.keys(secretSchemas) as SecretName[];
export type FieldName = 'clientId' | DetailName | SecretName;

export interface ProviderType {
  readonly name: string;
  readonly required: readonly FieldName[];
  readonly optional: readonly FieldName[];
  readonly defaultScopes: readonly string[];
  /** Whether an organization may have several, as `oidc-<name>`. */
  readonly several: boolean;
  /** Whether the org family makes it too. */
  readonly inOrgFamily: boolean;
}

const usual = {
  required: ['clientId', 'clientSecret'],
  optional: [],
  several: false,
  inOrgFamily: true,
} as const satisfies Partial<ProviderType>;

/** Specification, Social providers: everything that the service knows of a type of provider. */
export const providerTypes = {
  google: {
    ...usual,
    name: 'Google',
    optional: ['hostedDomain'],
    defaultScopes: ['openid', 'profile', 'email'],
  },
  github: { ...usual, name: 'GitHub', defaultScopes: ['user:email', 'read:user'] },
  microsoft: { ...usual, name: 'Microsoft', optional: ['orgId'], defaultScopes: ['openid', 'profile', 'email'] },
  apple: {
    ...usual,
    name: 'Apple',
    required: ['clientId', 'teamId', 'keyId', 'privateKey'],
    optional: ['clientSecret'],
    defaultScopes: ['name', 'email'],
  },
  facebook: { ...usual, name: 'Facebook', defaultScopes: ['public_profile', 'email'] },
  linkedin: { ...usual, name: 'LinkedIn', defaultScopes: ['openid', 'profile', 'email'] },
  oidc: {
    ...usual,
    name: 'OpenID Connect',
    required: ['clientId', 'clientSecret', 'issuerUrl'],
    defaultScopes: ['openid', 'profile', 'email'],
    several: true,
  },
  saml: {
    ...usual,
    name: 'SAML',
    optional: ['entryPoint', 'certificate', 'metadataUrl'],
    defaultScopes: [],
    several: true,
    inOrgFamily: false,
  },
} as const satisfies Readonly<Record<string, ProviderType>>;

export type TypeName = keyof typeof providerTypes;

export const typeNames = Object.keys(providerTypes) as [TypeName, ...TypeName[]];

export function typeOf(name: TypeName): ProviderType {
  return providerTypes[name];
}

/** Which type an identifier stands for: `google`, `oidc`, `oidc-acme`. */
export function typeOfIdentifier(identifier: string): TypeName | undefined {
  const exact = typeNames.find((name) => name === identifier);
  if (exact !== undefined) return exact;
  const [, prefix] = /^([a-z]+)-[a-z0-9][a-z0-9-]{0,62}$/.exec(identifier) ?? [];
  return typeNames.find((name) => name === prefix && typeOf(name).several);
}
