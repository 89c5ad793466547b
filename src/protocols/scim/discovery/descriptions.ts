import { z } from 'zod';
import type { ResourceType, SchemaDescription } from '../schema/resource-type.ts';

/** Of what describes the service. It has no times, as it changes with the program. */
export const metaSchema = z.strictObject({ resourceType: z.string(), location: z.string() }).meta({ id: 'ScimMeta' });

const listResponseUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

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

const schemaUrn = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

const characteristics = {
  name: z.string(),
  type: z.enum(['string', 'boolean', 'decimal', 'integer', 'dateTime', 'reference', 'binary', 'complex']),
  multiValued: z.boolean(),
  description: z.string(),
  required: z.boolean(),
  canonicalValues: z.array(z.string()).optional(),
  caseExact: z.boolean(),
  mutability: z.enum(['readOnly', 'readWrite', 'immutable', 'writeOnly']),
  returned: z.enum(['always', 'never', 'default', 'request']),
  uniqueness: z.enum(['none', 'server', 'global']),
  referenceTypes: z.array(z.string()).optional(),
};
const attributeSchema = z.strictObject({
  ...characteristics,
  subAttributes: z.array(z.strictObject(characteristics)).optional(),
});

export const schemaSchema = z.strictObject({
  schemas: z.tuple([z.literal(schemaUrn)]),
  id: z.string(),
  name: z.string(),
  description: z.string(),
  attributes: z.array(attributeSchema),
  meta: metaSchema,
});

/** RFC 7643, 7: every attribute with all of its characteristics. @param url of the base */
export function schemaView(schema: SchemaDescription, url: string): z.input<typeof schemaSchema> {
  const { id, name, description, attributes } = schema;
  return {
    schemas: [schemaUrn],
    id,
    name,
    description,
    // in the order of RFC 7643, 7
    attributes: attributes.map((each) => attributeSchema.parse(each)),
    meta: { resourceType: 'Schema', location: `${url}/Schemas/${id}` },
  };
}
