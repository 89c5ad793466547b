import { type ComplexValue, requireOnePrimary } from '../documents/document-rules.ts';
import {
  boundedEntries,
  isNothing,
  membersOf,
  onlyOf,
  type ReadOptions,
  readSingle,
  readValue,
} from '../documents/read-value.ts';
import { scimError } from '../errors/scim-errors.ts';
import { filterBounds } from '../filter/filter.ts';
import { FilterScanner } from '../filter/filter-scanner.ts';
import { parseValueFilter } from '../filter/parse-filter.ts';
import { attributeAt, type Located, locate, pathText, schemaNamed, subAttributeOf } from '../schema/attribute-path.ts';
import type { Attribute, ResourceType, SchemaDescription } from '../schema/resource-type.ts';
import type { PatchOperation, PatchPath } from './patch-operation.ts';

interface Request {
  readonly op: PatchOperation['op'];
  /** `''` for the resource itself. */
  readonly path: string;
  readonly value: unknown;
}

interface Reading extends ReadOptions {
  /** What an error begins with: `Operations[0]`. */
  readonly at: string;
}

type Operations = readonly PatchOperation[];

/** An operation as it was sent, taken apart into such with one path each. @throws ProblemError as `parsePatch` */
export function expandOperation(type: ResourceType, request: Request, reading: Reading): Operations {
  const { op, path, value } = request;
  if (path === '') return expandResource(type, request, reading);
  const schema = schemaNamed(type, path);
  if (schema !== undefined) return expandSchema(type, schema, request, reading);
  const target = parsePath(type, path);
  if (target === undefined) throw scimError('invalidPath', `${reading.at}.path: there is no such attribute.`);
  return expandTarget(op, target, value, reading);
}

/** `{"name.givenName": …, "emails[type eq \"work\"].value": …, "urn:…:User": {…}}`. */
function expandResource(type: ResourceType, { op, value }: Request, reading: Reading): Operations {
  if (op === 'remove') throw scimError('noTarget', `${reading.at}.path: is required for "remove".`);
  return boundedEntries(asObject(value, reading), `${reading.at}.value`).flatMap(([key, member]) => {
    const schema = schemaNamed(type, key);
    if (schema !== undefined) return expandSchema(type, schema, { op, path: key, value: member }, reading);
    const target = parsePath(type, key);
    if (target !== undefined) return expandTarget(op, target, member, reading);
    if (reading.strict) throw scimError('invalidPath', `${reading.at}.value: has an attribute that is not known.`);
    return [];
  });
}

/** All of a schema: what is given of it, or everything where it is removed. */
function expandSchema(type: ResourceType, schema: SchemaDescription, request: Request, reading: Reading): Operations {
  const { op, value } = request;
  const urn = schema === type.schema ? {} : { urn: schema.id };
  const target = (attribute: Attribute): Target => ({ path: { ...urn, attribute: attribute.name }, attribute });
  if (op === 'add' && isNothing(value)) return [];
  if (op === 'remove' || isNothing(value)) {
    const changeable = schema.attributes.filter(({ mutability }) => mutability !== 'readOnly');
    return changeable.map((attribute) => ({ op: 'remove', path: target(attribute).path }));
  }
  const find = (name: string) => attributeAt(type, { ...urn, attribute: name });
  const members = membersOf(asObject(value, reading), find, `${reading.at}.value`, reading);
  return [...members].flatMap(([attribute, member]) => expandTarget(op, target(attribute), member, reading));
}

function expandTarget(op: PatchOperation['op'], target: Target, value: unknown, reading: Reading): Operations {
  const { path, attribute, subAttribute } = target;
  // which schemas a resource has follows from its attributes
  if (attribute.name === 'schemas' && op !== 'remove') return [];
  if (attribute.name === 'schemas') throw scimError('mutability', `${reading.at}.path: schemas is required.`);
  if (isSettled(target)) throw scimError('mutability', `${reading.at}.path: ${pathText(path)} cannot be changed.`);
  if (isReadOnly(target)) return op !== 'remove' && isNothing(value) ? [] : [{ op, path, value }];
  if (op === 'remove') return removal(target, value, reading);
  const at = `${reading.at}.${pathText(path)}`;
  if (subAttribute !== undefined) return [operation(op, path, readValue(subAttribute, value, at, reading))];
  if (attribute.multiValued) return expandList(op, target, value, at, reading);
  if (attribute.type === 'complex') return expandComplex(op, target, value, at, reading);
  return [operation(op, path, readValue(attribute, value, at, reading))];
}

/** Clients that remove members name them in `value`; without one, all go (RFC 7644, 3.5.2.2). */
function removal({ path, attribute, subAttribute }: Target, value: unknown, reading: Reading): Operations {
  if (Array.isArray(value) && value.length === 0) return [];
  const isList = attribute.multiValued && path.filter === undefined && subAttribute === undefined;
  if (!isList) return [{ op: 'remove', path }];
  return [operation('remove', path, readValue(attribute, value, `${reading.at}.${pathText(path)}`, reading))];
}

function expandList(
  op: 'add' | 'replace',
  { path, attribute }: Target,
  value: unknown,
  at: string,
  reading: Reading,
): Operations {
  if (path.filter === undefined) {
    const values = readValue(attribute, value, at, reading) as readonly ComplexValue[] | undefined;
    requireOnePrimary(values ?? [], at);
    return op === 'add' && values === undefined ? [] : [operation(op, path, values)];
  }
  const [single, ...more] = Array.isArray(value) ? value : [value];
  if (more.length > 0) throw scimError('invalidValue', `${at}: must be one value.`);
  return [operation(op, path, readSingle(attribute, single, at, reading))];
}

/** Sub-attributes that are not named stay as they are (RFC 7644, 3.5.2.3: it replaces and adds sub-attributes). */
function expandComplex(
  op: 'add' | 'replace',
  { path, attribute }: Target,
  given: unknown,
  at: string,
  reading: Reading,
): Operations {
  const value = onlyOf(attribute, given);
  if (isNothing(value)) return [operation(op, path, undefined)];
  const whole = typeof value !== 'object' && subAttributeOf(attribute, 'value') !== undefined ? { value } : value;
  const parts = membersOf(asObject(whole, { ...reading, at }), (name) => subAttributeOf(attribute, name), at, reading);
  if (parts.size === 0) return op === 'replace' ? [operation(op, path, undefined)] : [];
  const changed = (attribute.subAttributes ?? []).filter((part) => parts.has(part) && part.mutability !== 'readOnly');
  return changed.map((part) => {
    const read = readValue(part, parts.get(part), `${at}.${part.name}`, reading);
    return operation(op, { ...path, subAttribute: part.name }, read);
  });
}

/** Part of a value, which is what it is as long as it is there. */
function isSettled({ attribute, subAttribute }: Target): boolean {
  const settled = subAttribute?.mutability === 'readOnly' || subAttribute?.mutability === 'immutable';
  return attribute.multiValued && settled;
}

function isReadOnly({ attribute, subAttribute }: Target): boolean {
  return attribute.mutability === 'readOnly' || subAttribute?.mutability === 'readOnly';
}

function operation(op: PatchOperation['op'], path: PatchPath, value: unknown): PatchOperation {
  return value === undefined ? { op, path } : { op, path, value };
}

function asObject(value: unknown, { at }: Reading): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw scimError('invalidValue', `${at}.value: must be an object with attributes.`);
}

/** A path with what stands there. */
interface Target {
  readonly path: PatchPath;
  readonly attribute: Attribute;
  readonly subAttribute?: Attribute | undefined;
}

/**
 * Reads a path (RFC 7644, 3.5.2, figure 7): `members`, `name.familyName`, `addresses[type eq "work"].locality`.
 * `undefined` where it begins with a name that the type does not have.
 * @throws ProblemError `invalidPath`, and `invalidFilter` for what stands in brackets
 */
function parsePath(type: ResourceType, text: string): Target | undefined {
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
