import { z } from 'zod';

/** What the ID tokens of a grant repeat at each refresh (OpenID Connect Core, 12.2). */
export const openIdFactsSchema = z
  .strictObject({
    /** When the user signed in: milliseconds since the epoch. */
    authTime: z.number(),
    amr: z.array(z.string()).readonly(),
    acr: z.string().exactOptional(),
    nonce: z.string().exactOptional(),
    /** Of a grant that outlives the session in which its user agreed: which that was. */
    sid: z.string().exactOptional(),
    /** The request's parameter `claims`, as it was read. */
    claims: z.record(z.string(), z.unknown()).readonly().exactOptional(),
  })
  .readonly();

export type OpenIdFacts = z.output<typeof openIdFactsSchema>;
