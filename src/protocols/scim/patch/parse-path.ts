import { scimError } from '../errors/scim-problems.ts';
import { filterBounds } from '../filter/filter.ts';
import { FilterScanner } from '../filter/filter-scanner.ts';
import { parseValueFilter } from '../filter/parse-filter.ts';
import type { Attribute } from '../schema/attribute.ts';
import { type Located, locate, subAttributeOf } from '../schema/attribute-path.ts';
import type { ResourceType } from '../schema/resource-type.ts';
import type { PatchPath } from './patch-operation.ts';

/** A path with what stands there. */
export interface Target {
  readonly path: PatchPath;
  readonly attribute: Attribute;
  readonly subAttribute?: Attribute | undefined;
}

/**
 * Reads a path (RFC 7644, 3.5.2, figure 7): `members`, `name.familyName`, `addresses[type eq "work"].locality`.
 * `undefined` where it begins with a name that the type does not have.
 * @throws ProblemError `invalidPath`, and `invalidFilter` for what stands in brackets
 */
export function parsePath(type: ResourceType, text: string): Target | undefined {
  if (text.length > filterBounds.characters) {
    throw scimError('invalidPath', `The path is longer than ${filterBounds.characters} characters.`);
  }
  const scanner = new FilterScanner(text);
  const located = locate(type, scanner.takeWord());
  if (located === undefined) return undefined;
  const target = scanner.takeMark('[') ? valuePath(scanner, located) : located;
  if (!scanner.atEnd) throw scimError('invalidPath', `The path is not valid at character ${scanner.at + 1}.`);
  return target;
}

function valuePath(scanner: FilterScanner, { path, attribute, subAttribute }: Located): Target {
  if (!attribute.multiValued || attribute.type !== 'complex' || subAttribute !== undefined) {
    throw scimError('invalidPath', `${path.attribute} has no values to choose from.`);
  }
  const filter = parseValueFilter(scanner, attribute);
  const name = scanner.takeSuffix();
  if (name === '') return { path: { ...path, filter }, attribute };
  const part = subAttributeOf(attribute, name);
  if (part === undefined) throw scimError('invalidPath', `${path.attribute} has no sub-attribute of this name.`);
  return { path: { ...path, filter, subAttribute: part.name }, attribute, subAttribute: part };
}
