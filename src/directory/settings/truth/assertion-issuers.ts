import { z } from 'zod';
import { jwksSchema, storedJwksSchema } from '../../../platform/index.ts';
import { line, outboundUrl, resourceUri } from '../text/formats.ts';

/** As it is stored: its bounds were others once. */
export const storedAssertionIssuers = z
  .array(
    z
      .strictObject({
        issuer: z.string(),
        provider: z.string(),
        jwks: storedJwksSchema.exactOptional(),
        jwksUri: z.string().exactOptional(),
      })
      .readonly(),
  )
  .readonly();

/** A server whose assertions about its users are believed, where its keys are, and the provider of sign-in that they come by. */
export type AssertionIssuer = z.output<typeof storedAssertionIssuers>[number];

const ISSUERS_MAX = 20;

export const assertionIssuers: z.ZodType<readonly AssertionIssuer[]> = z
  .array(
    z
      .strictObject({
        issuer: resourceUri.describe('`iss` of its assertions, character by character'),
        provider: line.describe('The provider of sign-in whose linked identities it speaks of, as paths name it'),
        jwks: jwksSchema.exactOptional().describe('Its keys, or'),
        jwksUri: outboundUrl.exactOptional().describe('where they are'),
      })
      .refine(({ jwks, jwksUri }) => (jwks === undefined) !== (jwksUri === undefined), 'needs one of jwks and jwksUri'),
  )
  .max(ISSUERS_MAX)
  .refine((list) => new Set(list.map(({ issuer }) => issuer)).size === list.length, 'must not name an issuer twice');
