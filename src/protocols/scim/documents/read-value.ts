import { scimError } from '../errors/scim-errors.ts';
import { instantOf, readBoolean } from '../filter/values.ts';
import { subAttributeOf } from '../schema/attribute-path.ts';
import type { Attribute } from '../schema/resource-type.ts';

export interface ReadOptions {
  /** Whether what is not known is refused, and not left out. */
  readonly strict: boolean;
}

/** Bounds of what is kept. A group may have as many members as a page of them can show. */
const valueBounds = { textBytes: 1024, binaryBytes: 65_536, values: 100, members: 100_000, names: 1000 } as const;

/**
 * The value of an attribute in its canonical form: names as in the schema, nothing null or empty, nothing readOnly.
 * `undefined` where nothing remains (RFC 7643, 2.5: null and an empty list are no value; clients send `""` as well).
 *
 * Read as well: `"True"` for a boolean, one value in place of a list, a bare value in place of `{"value": …}`, and
 * a list of one manager.
 *
 * @param path what an error begins with: `emails`
 * @throws ProblemError `invalidValue` where it does not fit, `invalidSyntax` where a strict reader meets unknown names
 */
export function readValue(attribute: Attribute, value: unknown, path: string, options: ReadOptions): unknown {
  if (isNothing(value)) return undefined;
  if (!attribute.multiValued) return readSingle(attribute, onlyOf(attribute, value), path, options);
  if (!Array.isArray(value)) return listOrNothing([readSingle(attribute, value, `${path}[0]`, options)]);
  const max = maxOf(attribute);
  if (value.length > max) throw scimError('invalidValue', `${path}: has more than ${max} values.`);
  return listOrNothing(value.map((each, index) => readSingle(attribute, each, `${path}[${index}]`, options)));
}

/** What is sent as a list of one in place of a value, such as a manager. */
export function onlyOf(attribute: Attribute, value: unknown): unknown {
  const isOne = Array.isArray(value) && value.length === 1 && subAttributeOf(attribute, 'value') !== undefined;
  return isOne ? value[0] : value;
}

/** One value of an attribute, whether it has one or many. */
export function readSingle(attribute: Attribute, value: unknown, path: string, options: ReadOptions): unknown {
  if (isNothing(value)) return undefined;
  return attribute.type === 'complex'
    ? readComplex(attribute, value, path, options)
    : readSimple(attribute, value, path);
}

/** The members of an object by the attributes that they are values of. @throws ProblemError as `readValue` */
export function membersOf(
  value: object,
  find: (name: string) => Attribute | undefined,
  path: string,
  { strict }: ReadOptions,
): ReadonlyMap<Attribute, unknown> {
  const members = new Map<Attribute, unknown>();
  for (const [name, member] of boundedEntries(value, path)) {
    const attribute = find(name);
    if (attribute === undefined) {
      if (strict) throw scimError('invalidSyntax', `${pathOf(path, name)}: is not an attribute.`);
      continue;
    }
    if (members.has(attribute)) throw scimError('invalidSyntax', `${pathOf(path, attribute.name)}: is given twice.`);
    members.set(attribute, member);
  }
  return members;
}

/** Names and values of an object, each of which is looked for. @throws ProblemError `invalidSyntax` for too many */
export function boundedEntries(value: object, path: string): readonly [string, unknown][] {
  const entries = Object.entries(value);
  if (entries.length <= valueBounds.names) return entries;
  throw scimError('invalidSyntax', `${path === '' ? 'The body' : path}: has more than ${valueBounds.names} members.`);
}

export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Most values of an attribute. */
export function maxOf({ name }: Attribute): number {
  return name === 'members' ? valueBounds.members : valueBounds.values;
}

/** For details of errors: names are a client's, and may be long. */
function pathOf(path: string, name: string): string {
  const short = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  return path === '' || path.endsWith(':') ? `${path}${short}` : `${path}.${short}`;
}

function readComplex(attribute: Attribute, value: unknown, path: string, options: ReadOptions): unknown {
  const whole = typeof value === 'object' ? value : bareValue(attribute, value);
  if (whole === undefined || whole === null || Array.isArray(whole)) throw mismatch(path, 'an object');
  const members = membersOf(whole, (name) => subAttributeOf(attribute, name), path, options);
  const result: Record<string, unknown> = {};
  for (const [subAttribute, member] of members) {
    if (subAttribute.mutability === 'readOnly') continue;
    const read = readValue(subAttribute, member, `${path}.${subAttribute.name}`, options);
    if (read !== undefined) result[subAttribute.name] = read;
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

/** `"members": ["2819c223"]`. */
function bareValue(attribute: Attribute, value: unknown): object | undefined {
  return subAttributeOf(attribute, 'value') === undefined ? undefined : { value };
}

function readSimple({ type }: Attribute, value: unknown, path: string): unknown {
  switch (type) {
    case 'boolean':
      return readAsBoolean(value, path);
    case 'integer':
    case 'decimal':
      if (typeof value !== 'number' || (type === 'integer' && !Number.isInteger(value))) {
        throw mismatch(path, type === 'integer' ? 'an integer' : 'a number');
      }
      return value;
    default:
      return readText(type, value, path);
  }
}

function readAsBoolean(value: unknown, path: string): boolean {
  const read = typeof value === 'string' ? readBoolean(value) : value;
  if (typeof read !== 'boolean') throw mismatch(path, 'true or false');
  return read;
}

/** Line breaks and tabs may stand in an address. */
const text = /^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u;
/** RFC 4648, 4, on one line. */
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

function readText(type: Attribute['type'], value: unknown, path: string): string {
  if (typeof value !== 'string') throw mismatch(path, 'a text');
  const max = type === 'binary' ? valueBounds.binaryBytes : valueBounds.textBytes;
  if (value.length > max || Buffer.byteLength(value) > max) {
    throw scimError('invalidValue', `${path}: is longer than ${max} bytes.`);
  }
  if (!text.test(value)) throw mismatch(path, 'a text without control characters');
  if (type === 'binary' && !base64.test(value)) throw mismatch(path, 'base64');
  if (type === 'dateTime' && instantOf(value) === undefined) throw mismatch(path, 'a date and time');
  if (type === 'reference' && !isReference(value)) throw mismatch(path, 'a URI');
  return value;
}

/** An absolute or relative URI, or a URN (RFC 7643, 2.3.7). */
function isReference(value: string): boolean {
  return !/\s/.test(value) && URL.canParse(value, 'https://base.example/');
}

function listOrNothing(values: readonly unknown[]): readonly unknown[] | undefined {
  const there = values.filter((value) => value !== undefined);
  return there.length === 0 ? undefined : there;
}

function mismatch(path: string, expected: string): Error {
  return scimError('invalidValue', `${path}: must be ${expected}.`);
}
