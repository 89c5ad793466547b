import type { ScimResource } from '../documents/scim-resource.ts';
import { type AttributePath, attributeAt, subAttributeOf } from '../schema/attribute-path.ts';
import type { Attribute, ResourceType } from '../schema/resource-type.ts';
import type { Comparison, Filter } from './filter.ts';
import { comparison } from './values.ts';

/** A resource, or one value of a complex attribute. */
type Holder = Readonly<Record<string, unknown>>;
type Test = (holder: Holder) => boolean;
type Scope = (path: AttributePath) => Attribute | undefined;

/** Whether a resource passes a filter. For many resources, make the `matcher` once. */
export function matches(type: ResourceType, filter: Filter, resource: ScimResource): boolean {
  return matcher(type, filter)(resource);
}

/** The filter as a test of resources of one type. */
export function matcher(type: ResourceType, filter: Filter): (resource: ScimResource) => boolean {
  return testOf((path) => attributeAt(type, path), filter);
}

/** The filter of a value path as a test of the attribute's values. */
export function valueMatcher(attribute: Attribute, filter: Filter): (value: unknown) => boolean {
  const test = testOf((path) => subAttributeOf(attribute, path.attribute), filter);
  return (value) => isHolder(value) && test(value);
}

function testOf(scope: Scope, filter: Filter): Test {
  switch (filter.kind) {
    case 'and': {
      const tests = filter.terms.map((term) => testOf(scope, term));
      return (holder) => tests.every((test) => test(holder));
    }
    case 'or': {
      const tests = filter.terms.map((term) => testOf(scope, term));
      return (holder) => tests.some((test) => test(holder));
    }
    case 'not': {
      const test = testOf(scope, filter.term);
      return (holder) => !test(holder);
    }
    case 'present':
      return (holder) => valuesAt(holder, filter.path, memberOf).some(isPresent);
    case 'compare':
      return comparisonOf(scope, filter);
    case 'values': {
      const attribute = scope(filter.path);
      if (attribute === undefined) return () => false;
      const test = valueMatcher(attribute, filter.filter);
      return (holder) => valuesAt(holder, filter.path, memberOf).some(test);
    }
  }
}

/**
 * One value that passes is enough (RFC 7644, 3.4.2.2). What has no value equals nothing, and so it passes `ne`; an
 * attribute that the type does not have is such a one (3.4.2.1).
 */
function comparisonOf(scope: Scope, { path, operator, value }: Comparison): Test {
  const attribute = scope(path);
  if (attribute === undefined) return () => operator === 'ne';
  const test = comparison(attribute, operator, value);
  return (holder) => {
    const values = valuesAt(holder, path, comparedOf);
    return values.length === 0 ? operator === 'ne' : values.some(test);
  };
}

/** Every value at a path: one each of a multi-valued attribute, none where nothing is there. */
function valuesAt(
  holder: Holder,
  { urn, attribute, subAttribute }: AttributePath,
  memberAt: (holder: Holder, name: string) => unknown,
): readonly unknown[] {
  const owner = urn === undefined ? holder : holder[urn];
  const values = isHolder(owner) ? listOf(memberAt(owner, attribute)) : [];
  if (subAttribute === undefined) return values;
  return values.filter(isHolder).flatMap((value) => listOf(memberAt(value, subAttribute)));
}

function memberOf(holder: Holder, name: string): unknown {
  return holder[name];
}

/** A value that does not say whether it is the primary one is not (RFC 7643, 2.4). */
function comparedOf(holder: Holder, name: string): unknown {
  return name === 'primary' ? (holder[name] ?? false) : holder[name];
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}

/** RFC 7644, 3.4.2.2: neither empty nor null, and something inside where it is complex. */
function isPresent(value: unknown): boolean {
  if (isHolder(value)) return Object.values(value).some(isPresent);
  return value !== undefined && value !== null && value !== '';
}
