import type { FilterValues } from '../../../../kernel/lists/index.ts';
import type { Comparison, Filter } from '../../filter/filter.ts';
import { comparison, instantOf, isOfParts } from '../../filter/values.ts';
import { attributeAt, pathText } from '../../schema/attribute-path.ts';
import type { ResourceType } from '../../schema/resource-type.ts';
import { columnComparison, looksAtKept, type ValueTest, valueTest } from './value-test.ts';

/** A filter as a test of what lists keep in memory. */
export interface RowTest {
  readonly test: (values: FilterValues) => boolean;
  /** False if some rows pass that the filter does not match: then the resources themselves are tested as well. */
  readonly isExact: boolean;
}

const anything: RowTest = { test: () => true, isExact: false };

/** @param columns the paths that lists keep */
export function rowTest(type: ResourceType, filter: Filter, columns: ReadonlySet<string>): RowTest {
  switch (filter.kind) {
    case 'and': {
      const terms = filter.terms.map((term) => rowTest(type, term, columns));
      return { test: (values) => terms.every(({ test }) => test(values)), isExact: areExact(terms) };
    }
    case 'or': {
      const terms = filter.terms.map((term) => rowTest(type, term, columns));
      return { test: (values) => terms.some(({ test }) => test(values)), isExact: areExact(terms) };
    }
    case 'not': {
      const { test, isExact } = rowTest(type, filter.term, columns);
      return isExact ? { test: (values) => !test(values), isExact } : anything;
    }
    case 'present': {
      const name = pathText(filter.path);
      return columns.has(name) ? { test: (values) => isPresent(values(name)), isExact: true } : anything;
    }
    case 'compare':
      return columns.has(pathText(filter.path)) ? columnTest(type, filter) : anything;
    case 'values': {
      const attribute = attributeAt(type, filter.path);
      const path = pathText(filter.path);
      if (attribute !== undefined && columns.has(`${path}[]`) && looksAtKept(filter.filter)) {
        return valuesTest(path, valueTest(attribute, filter.filter));
      }
      return { ...rowTest(type, innerFilter(filter.path.attribute, filter.filter), columns), isExact: false };
    }
  }
}

/** @param path of an attribute of which lists keep the values, and beside each its kind */
function valuesTest(path: string, passes: ValueTest): RowTest {
  const [valueColumn, kindColumn] = [`${path}.value`, `${path}[]`];
  return {
    test: (values) => {
      const texts = values(valueColumn);
      if (texts === undefined) return false;
      const kinds = values(kindColumn);
      // one alone is no list
      if (typeof texts !== 'object') return passes(String(texts), String(kinds));
      return texts.some((text, index) => passes(String(text), typeof kinds === 'object' ? String(kinds[index]) : ''));
    },
    isExact: true,
  };
}

/** `emails[type eq "work" and value eq "x"]` can only match where `emails.value eq "x"` does. */
function innerFilter(attribute: string, filter: Filter): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, terms: filter.terms.map((term) => innerFilter(attribute, term)) };
    case 'compare':
      // "ne" of a list is true where any of its values differs: more than what is asked for
      return { ...filter, path: { attribute, subAttribute: filter.path.attribute } };
    default:
      return unknown;
  }
}

/** Of no column. */
const unknown: Filter = { kind: 'present', path: { attribute: '' } };

function columnTest(type: ResourceType, { path, operator, value }: Comparison): RowTest {
  const name = pathText(path);
  const attribute = attributeAt(type, path);
  if (attribute === undefined) return { test: () => operator === 'ne', isExact: true };
  const isTime = attribute.type === 'dateTime';
  if (isTime && isOfParts(operator)) return anything;
  // times are kept as milliseconds
  const test = isTime
    ? comparison({ ...attribute, type: 'integer' }, operator, instantOf(String(value)) ?? Number.NaN)
    : columnComparison(attribute, operator, value);
  return {
    test: (values) => {
      const stored = values(name);
      if (stored === undefined) return operator === 'ne';
      return typeof stored === 'object' ? stored.some(test) : test(stored);
    },
    isExact: true,
  };
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== '';
}

function areExact(terms: readonly RowTest[]): boolean {
  return terms.every(({ isExact }) => isExact);
}
