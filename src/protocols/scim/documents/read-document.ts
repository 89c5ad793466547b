import { scimError } from '../errors/scim-errors.ts';
import { attributeAt, schemaNamed } from '../schema/attribute-path.ts';
import type { Attribute, ResourceType, SchemaDescription } from '../schema/resource-type.ts';
import { checkValues, missingAttributes, schemasOf, tidyValues } from './document-rules.ts';
import { isNothing, membersOf, type ReadOptions, readValue } from './read-value.ts';
import { asObject, requireSchema, type ScimResource } from './scim-resource.ts';

/**
 * The body of POST or PUT as a resource with canonical names. What is readOnly is left out (RFC 7644, 3.3 and 3.5.1), and
 * what is not known as well, where the reader is not strict.
 *
 * @throws ProblemError `invalidSyntax` where it is no resource of the type, `invalidValue` where a value is missing or
 *   does not fit, with the path: `emails[1].value: must be a text.`
 */
export function readDocument(type: ResourceType, body: unknown, options: ReadOptions): ScimResource {
  const { own, extensions } = split(type, asObject(body, 'The body'));
  checkSchemas(type, own, options);
  const resource: Record<string, unknown> = {
    ...readAttributes(own, (name) => attributeAt(type, { attribute: name }), '', options),
  };
  for (const [{ id }, value] of extensions) {
    if (isNothing(value)) continue;
    const find = (name: string) => attributeAt(type, { urn: id, attribute: name });
    const read = readAttributes(asObject(value, id), find, `${id}:`, options);
    if (Object.keys(read).length > 0) resource[id] = read;
  }
  const tidied = tidyValues(type, { schemas: [], ...resource });
  checkValues(type, tidied);
  const [missing] = missingAttributes(type, tidied);
  if (missing !== undefined) throw scimError('invalidValue', `${missing}: is required.`);
  return { ...tidied, schemas: schemasOf(type, tidied) };
}

/** Attributes under the URN of an extension, apart from the others. */
function split(type: ResourceType, body: object) {
  const own: Record<string, unknown> = {};
  const extensions = new Map<SchemaDescription, unknown>();
  for (const [name, value] of Object.entries(body)) {
    const schema = name.includes(':') ? schemaNamed(type, name) : undefined;
    if (schema === undefined || schema === type.schema) own[name] = value;
    else if (extensions.has(schema)) throw scimError('invalidSyntax', `${schema.id}: is given twice.`);
    else extensions.set(schema, value);
  }
  return { own, extensions };
}

function readAttributes(
  value: object,
  find: (name: string) => Attribute | undefined,
  prefix: string,
  options: ReadOptions,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [attribute, member] of membersOf(value, find, prefix, options)) {
    if (attribute.mutability === 'readOnly' || attribute.name === 'schemas') continue;
    const read = readValue(attribute, member, `${prefix}${attribute.name}`, options);
    if (read !== undefined) result[attribute.name] = read;
  }
  return result;
}

function checkSchemas(type: ResourceType, own: object, { strict }: ReadOptions): void {
  const given = Object.entries(own).find(([name]) => name.toLowerCase() === 'schemas')?.[1];
  const urns = Array.isArray(given) ? given.slice(0, schemasMax) : [];
  requireSchema(urns, type.schema.id);
  const isKnown = (urn: unknown) =>
    typeof urn === 'string' && (schemaNamed(type, urn) !== undefined || type.toleratedSchemas.includes(urn));
  if (strict && !(urns.every(isKnown) && urns.length === (given as unknown[]).length)) {
    throw scimError('invalidSyntax', 'schemas: names a schema that is not known.');
  }
}

const schemasMax = 100;
