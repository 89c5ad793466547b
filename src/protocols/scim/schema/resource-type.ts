/** An attribute with its characteristics (RFC 7643, 7). */
export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
  readonly multiValued: boolean;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';
  readonly returned: 'always' | 'never' | 'default' | 'request';
  readonly uniqueness: 'none' | 'server' | 'global';
  readonly description: string;
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

export type AttributeType =
  | 'string'
  | 'boolean'
  | 'decimal'
  | 'integer'
  | 'dateTime'
  | 'reference'
  | 'binary'
  | 'complex';

/** A schema: attributes under one URN (RFC 7643, 7). */
export interface SchemaDescription {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

type Characteristics = Partial<Omit<Attribute, 'name' | 'description'>>;

/** What an attribute is where nothing else is said (RFC 7643, 2.2). */
const defaults = {
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
} as const;

/** URIs and encoded bytes differ where their letters differ. */
const exactTypes: readonly AttributeType[] = ['reference', 'binary'];

export function attribute(name: string, description: string, characteristics: Characteristics = {}): Attribute {
  const caseExact = exactTypes.includes(characteristics.type ?? defaults.type);
  return { name, description, ...defaults, caseExact, ...characteristics };
}

export function complexAttribute(
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  characteristics: Characteristics = {},
): Attribute {
  return attribute(name, description, { type: 'complex', ...characteristics, subAttributes });
}

/** A type of resources (RFC 7643, 6). */
export interface ResourceType {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly description: string;
  readonly schema: SchemaDescription;
  /** None of them is required. */
  readonly extensions: readonly SchemaDescription[];
  /** URNs that clients name in `schemas` beside those, and that mean nothing here. */
  readonly toleratedSchemas: readonly string[];
}

interface Values {
  /** What one value is, with an article: `an email address`. */
  readonly one: string;
  readonly value?: Partial<Attribute>;
  readonly types?: readonly string[];
  readonly required?: boolean;
}

/** A multi-valued attribute with the sub-attributes that those have by default (RFC 7643, 2.4). */
export function multiValued(name: string, description: string, { one, value, types, required }: Values): Attribute {
  const subAttributes = [
    attribute('value', `The value: ${one}.`, value),
    attribute('display', `A name of the value, for people to read.`),
    ...typeAndPrimary(types),
  ];
  return complexAttribute(name, description, subAttributes, { multiValued: true, required: required ?? false });
}

export function typeAndPrimary(types?: readonly string[]): readonly Attribute[] {
  return [
    attribute('type', 'What the value is for.', types === undefined ? {} : { canonicalValues: types }),
    attribute('primary', 'Whether this is the preferred value. At most one is.', { type: 'boolean' }),
  ];
}
