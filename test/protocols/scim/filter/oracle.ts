import { type Compare, type Filter, parse, Tester } from 'scim2-parse-filter';
import type { ScimResource } from '../../../../src/protocols/scim/documents/scim-resource.ts';
import { attributeAt, locate, subAttributeOf } from '../../../../src/protocols/scim/schema/attribute-path.ts';
import type { Attribute } from '../../../../src/protocols/scim/schema/resource-type.ts';
import { userType } from '../../../../src/protocols/scim/schema/user-type.ts';
import { core } from '../people.ts';

/** A comparison or `pr` of the oracle, with what its path leads to. */
export interface Leaf {
  readonly op: Compare['op'] | 'pr';
  readonly attrPath: string;
  readonly compValue?: Compare['compValue'];
  /** The attribute of the last name of the path. */
  readonly attribute: Attribute;
  /** Whether it stands in the brackets of a value path. */
  readonly inValue: boolean;
}

/** How the oracle is given a rule of the RFC that it does not follow. */
export interface Adaptation {
  readonly leaf?: (leaf: Leaf) => Filter;
  readonly text?: (attribute: Attribute, value: string) => string;
}

const present = (attrPath: string): Filter => ({ op: 'pr', attrPath });
const compare = (op: Compare['op'], attrPath: string, compValue: Compare['compValue']): Filter => ({
  op,
  attrPath,
  compValue,
});
const not = (filter: Filter): Filter => ({ op: 'not', filter });
const or = (...filters: Filter[]): Filter => ({ op: 'or', filters });
const plain = ({ op, attrPath, compValue }: Leaf): Filter =>
  op === 'pr' ? present(attrPath) : compare(op, attrPath, compValue ?? null);

export const complexValue: Adaptation = {
  leaf: (leaf) => {
    const isCompared = leaf.op !== 'pr' && subAttributeOf(leaf.attribute, 'value') !== undefined;
    return plain(isCompared ? { ...leaf, attrPath: `${leaf.attrPath}.value` } : leaf);
  },
};

export const nullIsNothing: Adaptation = {
  leaf: (leaf) => {
    if (leaf.op === 'pr' || leaf.compValue !== null) return plain(leaf);
    return leaf.op === 'ne' ? present(leaf.attrPath) : not(present(leaf.attrPath));
  },
};

export const notPrimary: Adaptation = {
  leaf: (leaf) => {
    const { op, attrPath, compValue, attribute, inValue } = leaf;
    if (attribute.name !== 'primary' || op === 'pr') return plain(leaf);
    const list = attrPath.split('.')[0] ?? '';
    const name = inValue ? attrPath : 'primary';
    const isTrue = (op === 'eq') === compValue;
    const one = isTrue ? compare('eq', name, true) : or(compare('eq', name, false), not(present(name)));
    if (inValue) return one;
    const oneOf: Filter = { op: '[]', attrPath: list, valFilter: one };
    return op === 'ne' ? or(oneOf, not(present(list))) : oneOf;
  },
};

export const nothingIsUnequal: Adaptation = {
  leaf: (leaf) => (leaf.op === 'ne' ? or(plain(leaf), not(present(leaf.attrPath))) : plain(leaf)),
};

export const caseRules: Adaptation = {
  text: ({ caseExact, type }, value) => (caseExact || type !== 'string' ? value : value.toLowerCase()),
};

export const instants: Adaptation = {
  text: ({ type }, value) => (type === 'dateTime' ? new Date(value).toISOString() : value),
};

export const coreUrn: Adaptation = {
  leaf: (leaf) => {
    const isCore = leaf.attrPath.toLowerCase().startsWith(`${core.toLowerCase()}:`);
    return plain(isCore ? { ...leaf, attrPath: leaf.attrPath.slice(core.length + 1) } : leaf);
  },
};

/** What the oracle finds, with some adaptations, or as it is. */
export function oracleFinds(
  filter: string,
  resource: ScimResource,
  adaptations: readonly Adaptation[],
  tester: Pick<Tester, 'test'>,
): boolean {
  let adapted = parse(filter);
  let data: unknown = resource;
  for (const { leaf, text } of adaptations) {
    const change = (each: Leaf): Filter => {
      if (leaf !== undefined) return leaf(each);
      const { compValue } = each;
      if (text === undefined || typeof compValue !== 'string') return plain(each);
      return plain({ ...each, compValue: text(each.attribute, compValue) });
    };
    adapted = mapLeaves(adapted, undefined, change);
    if (text !== undefined) data = mapTexts(resource === data ? resource : (data as ScimResource), text);
  }
  return tester.test(data as object, adapted);
}

/** Goes through lists before it looks whether the path has ended: a value path holds for one value. */
export class ValueTester extends Tester {
  // the types of the library call it private
  constructor() {
    super();
    const self = this as unknown as { attrTest: AttrTest };
    const inherited = self.attrTest.bind(this);
    self.attrTest = (path, value, test) =>
      Array.isArray(value) ? value.some((each) => inherited(path, each, test)) : inherited(path, value, test);
  }
}

type AttrTest = (path: string[], value: unknown, test: (value: unknown) => boolean) => boolean;

function mapLeaves(filter: Filter, list: Attribute | undefined, change: (leaf: Leaf) => Filter): Filter {
  switch (filter.op) {
    case 'and':
    case 'or':
      return { op: filter.op, filters: filter.filters.map((each) => mapLeaves(each, list, change)) };
    case 'not':
      return { op: 'not', filter: mapLeaves(filter.filter, list, change) };
    case '[]': {
      const attribute = locate(userType, filter.attrPath)?.attribute;
      return { ...filter, valFilter: mapLeaves(filter.valFilter, attribute, change) };
    }
    default: {
      const located = locate(userType, filter.attrPath);
      const attribute =
        list === undefined ? (located?.subAttribute ?? located?.attribute) : subAttributeOf(list, filter.attrPath);
      if (attribute === undefined) throw new Error(`${filter.attrPath} is unknown`);
      return change({ ...filter, attribute, inValue: list !== undefined });
    }
  }
}

/** Every text of a resource, changed by what its attribute is. */
function mapTexts(resource: ScimResource, change: (attribute: Attribute, value: string) => string): unknown {
  const walk = (value: unknown, find: (name: string) => Attribute | undefined, own?: Attribute): unknown => {
    if (Array.isArray(value)) return value.map((each) => walk(each, find, own));
    if (typeof value === 'string') return own === undefined ? value : change(own, value);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const isUrn = name.includes(':');
        const found = isUrn ? undefined : find(name);
        const inner = isUrn
          ? (sub: string) => attributeAt(userType, { urn: name, attribute: sub })
          : (sub: string) => (found === undefined ? undefined : subAttributeOf(found, sub));
        return [name, walk(member, inner, found)];
      }),
    );
  };
  return walk(resource, (name) => attributeAt(userType, { attribute: name }));
}
