import { z } from 'zod';
import type { Attribute, SchemaDescription } from '../schema/attribute.ts';
import { metaSchema } from './meta.ts';

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
    attributes: attributes.map(attributeView),
    meta: { resourceType: 'Schema', location: `${url}/Schemas/${id}` },
  };
}

/** In the order of RFC 7643, 7. What does not apply is not there, and nothing is null. */
function attributeView(attribute: Attribute): z.input<typeof attributeSchema> {
  const { subAttributes } = attribute;
  return {
    ...characteristicsOf(attribute),
    ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(characteristicsOf) }),
  };
}

function characteristicsOf(attribute: Attribute) {
  const { canonicalValues, referenceTypes } = attribute;
  return {
    name: attribute.name,
    type: attribute.type,
    multiValued: attribute.multiValued,
    description: attribute.description,
    required: attribute.required,
    ...(canonicalValues === undefined ? {} : { canonicalValues: [...canonicalValues] }),
    caseExact: attribute.caseExact,
    mutability: attribute.mutability,
    returned: attribute.returned,
    uniqueness: attribute.uniqueness,
    ...(referenceTypes === undefined ? {} : { referenceTypes: [...referenceTypes] }),
  };
}
