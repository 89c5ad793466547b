import { z } from 'zod';
import { nameSchema, writableBody } from '../../../../kernel/transactions/index.ts';
import { issuerSchema } from './issuer-view.ts';

const URL_MAX = 2048;
const url = z.string().min(1).max(URL_MAX);
const issuer = url.describe('`iss` of its tokens, letter by letter: an https URL without query and fragment');
const audience = z
  .string()
  .min(1)
  .max(URL_MAX)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be text without control characters')
  .describe('`aud` of its tokens: of an organization of this service, the id of the client that has the stream');
const provider = z
  .string()
  .min(1)
  .max(256)
  .describe('The provider of sign-in whose identities it speaks of, as paths name it, or its id');
const jwksUri = url.describe('Where its keys are; if omitted, its metadata at `/.well-known/ssf-configuration` say so');

export const newIssuerBody = z.strictObject({
  name: nameSchema,
  issuer,
  audience,
  provider,
  jwksUri: jwksUri.optional(),
  isActive: z.boolean().default(true),
  requiresSecret: z.boolean().default(false).describe('Whether it has to send a secret, which the answer shows'),
});

/** What is not sent stays. */
export const changedIssuerBody = writableBody(
  {
    name: nameSchema.optional(),
    issuer: issuer.optional(),
    audience: audience.optional(),
    provider: provider
      .nullable()
      .optional()
      .describe('Null, as it is shown where the provider is gone, changes nothing'),
    jwksUri: jwksUri.nullable().optional(),
    isActive: z.boolean().optional(),
    requiresSecret: z.boolean().optional().describe('False takes the secret away. `rotate-secret` makes one'),
  },
  issuerSchema,
);

export type NewIssuer = z.output<typeof newIssuerBody>;
export type ChangedIssuer = z.output<typeof changedIssuerBody>;
