import { scimError } from '../errors/scim-errors.ts';
import { attributeAt, locate, schemaNamed } from '../schema/attribute-path.ts';
import type { Attribute, ResourceType } from '../schema/resource-type.ts';
import type { ScimResource } from './scim-resource.ts';

/** Which attributes a client asks for (RFC 7644, 3.9): names with commas between them. */
export interface Projection {
  readonly attributes?: string | undefined;
  readonly excludedAttributes?: string | undefined;
}

/** Names of attributes below the URN of an extension, or `''`; each with all of it, or with some sub-attributes. */
type Selection = ReadonlyMap<string, ReadonlyMap<string, 'all' | ReadonlySet<string>>>;

const namesMax = 256;

/**
 * How resources are shown to a client that asks so (RFC 7644, 3.9; RFC 7643, 7: `returned`). Names that the type does not
 * have are no attributes of the resource, and lead to nothing.
 * @throws ProblemError `invalidValue` where more is asked for than can be
 */
export function parseProjection(type: ResourceType, projection: Projection): (resource: ScimResource) => ScimResource {
  const wanted = selectionOf(type, projection.attributes);
  const excluded = selectionOf(type, projection.excludedAttributes);
  const urns = type.extensions.map(({ id }) => id);
  /** Members below the URN of an extension, or `''`. */
  const shownOf = (urn: string, members: ScimResource): ScimResource => {
    const shown: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(members)) {
      const projected = urns.includes(name)
        ? nonEmpty(shownOf(name, value as ScimResource))
        : showAttribute(
            attributeAt(type, { urn, attribute: name }),
            value,
            wanted?.get(urn),
            excluded?.get(urn),
            wanted,
          );
      if (projected !== undefined) shown[name] = projected;
    }
    return shown;
  };
  return (resource) => shownOf('', resource);
}

/** Whether any part of a multi-valued attribute is shown. */
export function showsAny(type: ResourceType, project: ReturnType<typeof parseProjection>, attribute: string): boolean {
  const parts = attributeAt(type, { attribute })?.subAttributes ?? [];
  return attribute in project({ [attribute]: [Object.fromEntries(parts.map(({ name }) => [name, '']))] });
}

type Names = ReadonlyMap<string, 'all' | ReadonlySet<string>> | undefined;

/** @param selection all that is wanted; `undefined` where nothing is named, and so the default is shown */
function showAttribute(
  attribute: Attribute | undefined,
  value: unknown,
  wanted: Names,
  excluded: Names,
  selection: Selection | undefined,
): unknown {
  if (attribute === undefined || attribute.returned === 'never') return undefined;
  if (attribute.returned === 'always') return value;
  const asked = wanted?.get(attribute.name);
  if (selection === undefined ? attribute.returned === 'request' : asked === undefined) return undefined;
  const left = excluded?.get(attribute.name);
  if (left === 'all') return undefined;
  return showParts(
    value,
    (name) => (asked === undefined || asked === 'all' || asked.has(name)) && !(left?.has(name) ?? false),
    asked === undefined || asked === 'all' ? left === undefined : false,
  );
}

function showParts(value: unknown, isShown: (name: string) => boolean, isWhole: boolean): unknown {
  if (isWhole || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const values = value.map((each) => showParts(each, isShown, false)).filter((each) => each !== undefined);
    return values.length === 0 ? undefined : values;
  }
  return nonEmpty(Object.fromEntries(Object.entries(value).filter(([name]) => isShown(name))));
}

function nonEmpty(members: ScimResource): ScimResource | undefined {
  return Object.keys(members).length === 0 ? undefined : members;
}

/** `undefined` where no name is given. */
function selectionOf(type: ResourceType, text: string | undefined): Selection | undefined {
  const names = (text ?? '').split(',', namesMax + 1).map((name) => name.trim());
  if (names.length > namesMax) throw scimError('invalidValue', `More than ${namesMax} attributes are named.`);
  const given = names.filter((name) => name !== '');
  if (given.length === 0) return undefined;
  const selection = new Map<string, Map<string, 'all' | Set<string>>>();
  for (const { urn, attribute, subAttribute } of given.flatMap((name) => named(type, name))) {
    const attributes = selection.get(urn) ?? new Map<string, 'all' | Set<string>>();
    selection.set(urn, attributes);
    const before = attributes.get(attribute);
    if (subAttribute === undefined || before === 'all') attributes.set(attribute, 'all');
    else attributes.set(attribute, (before ?? new Set()).add(subAttribute));
  }
  return selection;
}

interface Name {
  readonly urn: string;
  readonly attribute: string;
  readonly subAttribute?: string;
}

/** The attribute of a name, or every attribute of the schema that it is the URN of. */
function named(type: ResourceType, name: string): readonly Name[] {
  const located = locate(type, name);
  if (located !== undefined) return [{ urn: '', ...located.path }];
  const schema = schemaNamed(type, name);
  const urn = schema === type.schema ? '' : (schema?.id ?? '');
  return (schema?.attributes ?? []).map((attribute) => ({ urn, attribute: attribute.name }));
}
