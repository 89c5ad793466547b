import { z } from 'zod';

/** Of what describes the service. It has no times, as it changes with the program. */
export const metaSchema = z.strictObject({ resourceType: z.string(), location: z.string() }).meta({ id: 'ScimMeta' });

export const listResponseUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** A list of all there is (RFC 7644, 3.4.2 and 4: these lists have no pages). */
export function listResponseSchema<T extends z.ZodType>(resource: T) {
  return z.strictObject({
    schemas: z.tuple([z.literal(listResponseUrn)]),
    totalResults: z.int(),
    startIndex: z.literal(1).meta({ type: 'integer' }),
    itemsPerPage: z.int(),
    Resources: z.array(resource),
  });
}

export function wholeList<T>(resources: readonly T[]) {
  return {
    schemas: [listResponseUrn] as [typeof listResponseUrn],
    totalResults: resources.length,
    startIndex: 1 as const,
    itemsPerPage: resources.length,
    Resources: [...resources],
  };
}
