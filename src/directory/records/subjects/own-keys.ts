import { z } from 'zod';
import { jwksSchema, type OutboundGuard, storedJwksSchema, urlFault } from '../../../platform/index.ts';

/** Whose assertions prove that somebody is a client or an agent (RFC 7523, 3): signed by another issuer, with its own keys. */
const storedCredential = z
  .strictObject({ issuer: z.string(), subject: z.string(), audience: z.string(), jwksUri: z.string() })
  .readonly();

export type FederatedCredential = z.output<typeof storedCredential>;

/** By which a program proves who it is, where it does not use a secret: as it is stored. */
export const storedKeys = {
  /** One of the two: its own public keys. */
  jwks: storedJwksSchema.exactOptional(),
  jwksUri: z.string().exactOptional(),
  /** Workloads of other issuers that are this program. */
  federatedCredentials: z.array(storedCredential).readonly().exactOptional(),
};

export type OwnKeys = Readonly<z.output<z.ZodObject<typeof storedKeys>>>;

const CREDENTIALS_MAX = 10;
const TEXT_MAX = 500;
const URI_MAX = 2000;

const credentialText = z
  .string()
  .min(1)
  .max(TEXT_MAX)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be text without control characters');

const federatedCredential = z.strictObject({
  issuer: credentialText.describe('`iss` of its assertions, character by character'),
  subject: credentialText.describe('`sub`'),
  audience: credentialText.describe('`aud`, and nothing else'),
  jwksUri: credentialText.describe('Where the keys of the issuer are'),
});

/** The same as bodies say it. */
export const keySchemas = {
  jwks: jwksSchema,
  jwksUri: z.string().min(1).max(URI_MAX),
  federatedCredentials: z.array(federatedCredential).max(CREDENTIALS_MAX).readonly(),
} as const;

/** What cannot be so, and where it is said. */
export interface KeyFault {
  readonly field: keyof OwnKeys;
  /** Of a list. */
  readonly index?: number;
  readonly message: string;
}

/** Whether the keys of a program can be so. Every address among them is one that the service calls. */
export function keyFault(keys: OwnKeys, outbound: OutboundGuard): KeyFault | undefined {
  const { jwks, jwksUri, federatedCredentials = [] } = keys;
  if (jwks !== undefined && jwksUri !== undefined)
    return { field: 'jwks', message: 'jwks and jwksUri exclude each other' };
  const message = jwksUri === undefined ? undefined : urlFault(outbound, jwksUri);
  if (message !== undefined) return { field: 'jwksUri', message };
  return credentialFault(federatedCredentials, outbound);
}

function credentialFault(credentials: readonly FederatedCredential[], outbound: OutboundGuard): KeyFault | undefined {
  const field = 'federatedCredentials';
  const named = credentials.map(({ issuer, subject }) => JSON.stringify([issuer, subject]));
  for (const [index, { jwksUri }] of credentials.entries()) {
    if (named.indexOf(named[index] ?? '') < index) return { field, index, message: 'is there twice' };
    const message = urlFault(outbound, jwksUri);
    if (message !== undefined) return { field, index, message: `jwksUri: ${message}` };
  }
  return undefined;
}

/** Whether it has any. */
export function hasOwnKeys({ jwks, jwksUri, federatedCredentials = [] }: OwnKeys): boolean {
  return jwks !== undefined || jwksUri !== undefined || federatedCredentials.length > 0;
}
