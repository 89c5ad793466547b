import { type Attribute, attribute, complexAttribute } from './attribute.ts';

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
