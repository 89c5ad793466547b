import {
  type AttributePath,
  comparedAt,
  type Located,
  locate,
  pathText,
  subAttributeOf,
} from '../schema/attribute-path.ts';
import { groupType } from '../schema/group-type.ts';
import type { Attribute, ResourceType } from '../schema/resource-type.ts';
import { userType } from '../schema/user-type.ts';
import { type Filter, filterBounds } from './filter.ts';
import { FilterScanner } from './filter-scanner.ts';
import { isOperator, operatorsOf, readLiteral } from './values.ts';

/** What names mean: attributes of a resource, or sub-attributes of one value. */
type Scope = (name: string) => Located | undefined;

/**
 * Reads a filter (RFC 7644, 3.4.2.2). A name that the type does not know is refused: RFC 7644 says nothing of it for one
 * type, and an answer without matches would make clients create what they have misspelt. Where several types are asked
 * (3.4.2.1), it is enough that one of them knows it; to the others it is an attribute without a value.
 *
 * Read as well: values without quotation marks, `"True"` for a boolean, and `emails[type eq "work"].value eq "x"`.
 *
 * @param type `undefined` where all types are asked
 * @throws ProblemError `invalidFilter`, with the position
 */
export function parseFilter(type: ResourceType | undefined, text: string): Filter {
  const types = type === undefined ? [userType, groupType] : [type];
  const parser = new FilterParser(new FilterScanner(text));
  return parser.parse((name) => types.map((each) => locate(each, name)).find((found) => found !== undefined));
}

/** The filter of a value path that begins at the scanner's position: `type eq "work"]`. */
export function parseValueFilter(scanner: FilterScanner, attribute: Attribute): Filter {
  return new FilterParser(scanner).valueFilter(attribute);
}

/** Recursive descent: `or` over `and` over what stands alone (RFC 7644, 3.4.2.2: precedence). */
class FilterParser {
  readonly #scanner: FilterScanner;
  #terms = 0;

  constructor(scanner: FilterScanner) {
    this.#scanner = scanner;
  }

  parse(scope: Scope): Filter {
    const filter = this.#alternatives(scope, 0);
    if (!this.#scanner.atEnd) throw this.#scanner.error('"and", "or" or the end of the filter was expected');
    return filter;
  }

  valueFilter(attribute: Attribute, depth = 0): Filter {
    if (attribute.type !== 'complex') throw this.#scanner.error(`${attribute.name} has no sub-attributes`);
    const filter = this.#alternatives(valueScope(attribute), depth + 1);
    this.#scanner.expectMark(']');
    return filter;
  }

  #alternatives(scope: Scope, depth: number): Filter {
    return this.#series('or', () => this.#series('and', () => this.#term(scope, depth)));
  }

  #series(kind: 'and' | 'or', next: () => Filter): Filter {
    const first = next();
    const terms = [first];
    while (this.#scanner.takeKeyword(kind) !== undefined) terms.push(next());
    return terms.length === 1 ? first : { kind, terms };
  }

  #term(scope: Scope, depth: number): Filter {
    const scanner = this.#scanner;
    if (depth > filterBounds.depth) throw scanner.error(`it is nested deeper than ${filterBounds.depth} levels`);
    const { at } = scanner;
    if (scanner.takeMark('(')) return this.#group(scope, depth);
    const name = scanner.takeWord();
    if (name.toLowerCase() === 'not') {
      if (!scanner.takeMark('(')) throw scanner.error('"(" is missing behind "not"');
      return { kind: 'not', term: this.#group(scope, depth) };
    }
    return this.#expression(scope, name, at, depth);
  }

  #group(scope: Scope, depth: number): Filter {
    const filter = this.#alternatives(scope, depth + 1);
    this.#scanner.expectMark(')');
    return filter;
  }

  #expression(scope: Scope, name: string, at: number, depth: number): Filter {
    const scanner = this.#scanner;
    this.#terms++;
    if (this.#terms > filterBounds.terms) throw scanner.error(`it has more than ${filterBounds.terms} terms`);
    if (name === '') throw scanner.error('the name of an attribute was expected');
    const located = scope(name);
    if (located === undefined) throw scanner.error(`there is no attribute "${shortened(name)}"`, at);
    if (located.attribute.returned === 'never')
      throw scanner.error(`${pathText(located.path)} cannot be used in a filter`, at);
    if (!scanner.takeMark('[')) return this.#comparison(located);
    if (located.subAttribute !== undefined) throw scanner.error(`${pathText(located.path)} has no sub-attributes`, at);
    const filter = this.valueFilter(located.attribute, depth);
    return { kind: 'values', path: located.path, filter: this.#suffixed(located.attribute, filter) };
  }

  /** `emails[type eq "work"].value eq "x"` is no filter of the RFC; clients mean that the same value fulfils both. */
  #suffixed(attribute: Attribute, filter: Filter): Filter {
    const { at } = this.#scanner;
    const name = this.#scanner.takeSuffix();
    if (name === '') return filter;
    const located = valueScope(attribute)(name);
    if (located === undefined)
      throw this.#scanner.error(`there is no attribute "${attribute.name}.${shortened(name)}"`, at);
    return { kind: 'and', terms: [filter, this.#comparison(located)] };
  }

  #comparison(located: Located): Filter {
    const scanner = this.#scanner;
    const { at } = scanner;
    const operator = scanner.takeWord().toLowerCase();
    if (operator === 'pr') return { kind: 'present', path: located.path };
    if (!isOperator(operator)) throw scanner.error('an operator was expected', at);
    const { path, attribute } = comparedAt(located);
    if (!operatorsOf[attribute.type].includes(operator)) {
      throw scanner.error(`${attribute.name}, which is ${attribute.type}, cannot be compared by "${operator}"`, at);
    }
    const literal = scanner.takeLiteral();
    if (!literal.quoted && literal.text.toLowerCase() === 'null')
      return this.#nullComparison(path, operator, literal.at);
    const value = readLiteral(attribute, operator, literal);
    if (value === undefined) throw scanner.error(`this is no ${attribute.type}`, literal.at);
    return { kind: 'compare', path, operator, value };
  }

  /** What is null has no value (RFC 7643, 2.5). */
  #nullComparison(path: AttributePath, operator: string, at: number): Filter {
    if (operator === 'ne') return { kind: 'present', path };
    if (operator === 'eq') return { kind: 'not', term: { kind: 'present', path } };
    throw this.#scanner.error(`null cannot be compared by "${operator}"`, at);
  }
}

function valueScope(attribute: Attribute): Scope {
  return (name) => {
    const found = subAttributeOf(attribute, name);
    return found === undefined ? undefined : { path: { attribute: found.name }, attribute: found };
  };
}

/** Names are a client's, and may be long. */
function shortened(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name;
}
