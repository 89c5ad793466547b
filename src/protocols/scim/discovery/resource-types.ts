import { z } from 'zod';
import type { ResourceType } from '../schema/resource-type.ts';
import { metaSchema } from './meta.ts';

const resourceTypeUrn = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';

export const resourceTypeSchema = z.strictObject({
  schemas: z.tuple([z.literal(resourceTypeUrn)]),
  id: z.string(),
  name: z.string(),
  endpoint: z.string(),
  description: z.string(),
  schema: z.string(),
  schemaExtensions: z.array(z.strictObject({ schema: z.string(), required: z.boolean() })).optional(),
  meta: metaSchema,
});

/** RFC 7643, 6. @param url of the base */
export function resourceTypeView(type: ResourceType, url: string): z.input<typeof resourceTypeSchema> {
  const { name, endpoint, description, schema, extensions } = type;
  return {
    schemas: [resourceTypeUrn],
    id: name,
    name,
    endpoint,
    description,
    schema: schema.id,
    ...(extensions.length === 0
      ? {}
      : { schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })) }),
    meta: { resourceType: 'ResourceType', location: `${url}/ResourceTypes/${name}` },
  };
}
