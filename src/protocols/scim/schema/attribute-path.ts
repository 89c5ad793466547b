import { commonAttributes } from './common-attributes.ts';
import type { Attribute, ResourceType, SchemaDescription } from './resource-type.ts';

/** Where an attribute is, by canonical names. `urn` is that of an extension; those of the core schema have none. */
export interface AttributePath {
  readonly urn?: string;
  readonly attribute: string;
  readonly subAttribute?: string;
}

/** A path with what stands there. */
export interface Located {
  readonly path: AttributePath;
  readonly attribute: Attribute;
  readonly subAttribute?: Attribute;
}

/** Attributes of one schema by their names in lower case, as names have no case (RFC 7643, 2.1). */
interface Names {
  readonly urn: string | undefined;
  readonly attributes: ReadonlyMap<string, Attribute>;
}

/** By the URN in lower case. The core schema stands there as well, and under `''`. */
type Schemas = ReadonlyMap<string, Names>;

const core = '';
const schemasByType = new WeakMap<ResourceType, Schemas>();
const subAttributesByName = new WeakMap<Attribute, ReadonlyMap<string, Attribute>>();

/**
 * The attribute that a text names: `userName`, `name.familyName`, `urn:…:User:manager.value` (RFC 7644, 3.10). Clients
 * also write `manager` where only an extension has one. `undefined` where the type has none by that name.
 */
export function locate(type: ResourceType, text: string): Located | undefined {
  const schemas = schemasOf(type);
  const { names, rest } = splitUrn(schemas, text);
  const found = locateIn(names, rest);
  if (found !== undefined || rest !== text) return found;
  for (const { id } of type.extensions) {
    const inExtension = locateIn(schemas.get(id.toLowerCase()), rest);
    if (inExtension !== undefined) return inExtension;
  }
  return undefined;
}

function locateIn(names: Names | undefined, rest: string): Located | undefined {
  const [name = '', subName, ...more] = rest.split('.', 3);
  const attribute = names?.attributes.get(name.toLowerCase());
  if (attribute === undefined || more.length > 0) return undefined;
  const path = { ...(names?.urn === undefined ? {} : { urn: names.urn }), attribute: attribute.name };
  if (subName === undefined) return { path, attribute };
  const subAttribute = subAttributeOf(attribute, subName);
  if (subAttribute === undefined) return undefined;
  return { path: { ...path, subAttribute: subAttribute.name }, attribute, subAttribute };
}

/** The attribute at a path with canonical names; `undefined` where the type has none there. */
export function attributeAt(
  type: ResourceType,
  { urn, attribute, subAttribute }: AttributePath,
): Attribute | undefined {
  const found = schemasOf(type)
    .get(urn?.toLowerCase() ?? core)
    ?.attributes.get(attribute.toLowerCase());
  return found === undefined || subAttribute === undefined ? found : subAttributeOf(found, subAttribute);
}

export function subAttributeOf(attribute: Attribute, name: string): Attribute | undefined {
  let names = subAttributesByName.get(attribute);
  if (names === undefined) {
    names = byName(attribute.subAttributes ?? []);
    subAttributesByName.set(attribute, names);
  }
  return names.get(name.toLowerCase());
}

/** Where a complex attribute is compared: at its `value`, where it has one. */
export function comparedAt({ path, attribute, subAttribute }: Located): Pick<Located, 'path' | 'attribute'> {
  if (subAttribute !== undefined) return { path, attribute: subAttribute };
  const value = subAttributeOf(attribute, 'value');
  return value === undefined ? { path, attribute } : { path: { ...path, subAttribute: value.name }, attribute: value };
}

/** The schema of a type whose URN a text is, in any case. */
export function schemaNamed(type: ResourceType, text: string): SchemaDescription | undefined {
  const urn = text.toLowerCase();
  return [type.schema, ...type.extensions].find(({ id }) => id.toLowerCase() === urn);
}

/** `userName` and `urn:…:User:manager.value`, as clients write it. */
export function pathText({ urn, attribute, subAttribute }: AttributePath): string {
  return `${urn === undefined ? '' : `${urn}:`}${attribute}${subAttribute === undefined ? '' : `.${subAttribute}`}`;
}

function splitUrn(schemas: Schemas, text: string): { readonly names: Names | undefined; readonly rest: string } {
  const colon = text.lastIndexOf(':');
  if (colon < 0) return { names: schemas.get(core), rest: text };
  return { names: schemas.get(text.slice(0, Math.max(colon, 1)).toLowerCase()), rest: text.slice(colon + 1) };
}

function schemasOf(type: ResourceType): Schemas {
  let schemas = schemasByType.get(type);
  if (schemas === undefined) {
    schemas = new Map(namedSchemas(type));
    schemasByType.set(type, schemas);
  }
  return schemas;
}

function namedSchemas(type: ResourceType): [string, Names][] {
  const names = { urn: undefined, attributes: byName([...commonAttributes, ...type.schema.attributes]) };
  return [
    [core, names],
    [type.schema.id.toLowerCase(), names],
    ...type.extensions.map(({ id, attributes }): [string, Names] => [
      id.toLowerCase(),
      { urn: id, attributes: byName(attributes) },
    ]),
  ];
}

function byName(attributes: readonly Attribute[]): ReadonlyMap<string, Attribute> {
  return new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
}
