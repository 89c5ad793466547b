import { Fault } from '../language/syntax.ts';
import { DYN, listOf, mapOf, type Type } from './type.ts';

/** Types share their parts, so that comparing two of them can take time exponential in the text of an expression. */
const STEPS_MAX = 200_000;

const NULLABLE = new Set<Type['kind']>(['null', 'duration', 'timestamp', 'ipaddress']);

/**
 * What is known of the type variables of one expression. Types are assignable by the rules of cel-go: `dyn` both ways,
 * `null` to and from durations, timestamps and addresses, and each variable has one type, the most general of those it
 * was given.
 */
export class Unifier {
  readonly #known = new Map<string, Type>();
  /** What was known before each change, so that changes can be taken back. */
  readonly #trail: [variable: string, before: Type | undefined][] = [];
  #made = 0;
  #steps = 0;

  variable(): Type {
    this.#made += 1;
    return { kind: 'variable', name: `#${this.#made}` };
  }

  /** Are types assignable, each to its counterpart? What was learnt of variables is kept only if they are. */
  assign(given: readonly Type[], wanted: readonly Type[]): boolean {
    if (given.length !== wanted.length) return false;
    const mark = this.#trail.length;
    if (given.every((type, at) => this.#fits(type, wanted[at] as Type))) return true;
    while (this.#trail.length > mark) {
      const [variable, before] = this.#trail.pop() as [string, Type | undefined]; // longer than the mark
      if (before === undefined) this.#known.delete(variable);
      else this.#known.set(variable, before);
    }
    return false;
  }

  /** The type of a list's or map's parts: the most general one that fits all, or `dyn`. */
  join(before: Type | undefined, next: Type): Type {
    if (before === undefined) return next;
    return this.assign([before], [next]) ? this.#mostGeneral(before, next) : DYN;
  }

  /** With every known variable replaced; at the end, unknown ones are `dyn`. */
  resolve(type: Type, isFinal = false): Type {
    this.#step();
    if (type.kind === 'variable') {
      const known = this.#known.get(type.name);
      if (known !== undefined) return this.resolve(known, isFinal);
      return isFinal ? DYN : type;
    }
    if (type.kind === 'list') return listOf(this.resolve(type.of[0], isFinal));
    if (type.kind !== 'map') return type;
    return mapOf(this.resolve(type.of[0], isFinal), this.resolve(type.of[1], isFinal));
  }

  /** The same type with variables of its own. */
  renamed(types: readonly Type[]): Type[] {
    const fresh = new Map<string, Type>();
    const rename = (type: Type): Type => {
      if (type.kind === 'variable') {
        const known = fresh.get(type.name) ?? this.variable();
        fresh.set(type.name, known);
        return known;
      }
      if (type.kind === 'list') return listOf(rename(type.of[0]));
      return type.kind === 'map' ? mapOf(rename(type.of[0]), rename(type.of[1])) : type;
    };
    return types.map(rename);
  }

  #fits(given: Type, wanted: Type): boolean {
    this.#step();
    if (wanted.kind === 'variable') {
      const answer = this.#substitute(given, wanted.name);
      if (answer !== undefined) return answer;
    }
    if (given.kind === 'variable') return this.#substitute(wanted, given.name) ?? false;
    if (given.kind === 'dyn' || wanted.kind === 'dyn') return true;
    if (given.kind === 'null') return NULLABLE.has(wanted.kind);
    if (wanted.kind === 'null') return NULLABLE.has(given.kind);
    if (given.kind === 'list' && wanted.kind === 'list') return this.#fits(given.of[0], wanted.of[0]);
    if (given.kind === 'map' && wanted.kind === 'map') {
      return this.#fits(given.of[0], wanted.of[0]) && this.#fits(given.of[1], wanted.of[1]);
    }
    return given.kind === wanted.kind;
  }

  /** Undefined where the variable is not known and the type contains it. */
  #substitute(type: Type, variable: string): boolean | undefined {
    const known = this.#known.get(variable);
    if (known === undefined) {
      if (this.#contains(type, variable)) return type.kind === 'variable' && type.name === variable ? true : undefined;
      this.#learn(variable, type);
      return true;
    }
    if (!this.#fits(type, known)) return false;
    const general = this.#mostGeneral(type, known);
    if (!this.#contains(general, variable)) this.#learn(variable, general);
    return true;
  }

  #learn(variable: string, type: Type): void {
    this.#trail.push([variable, this.#known.get(variable)]);
    this.#known.set(variable, type);
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > STEPS_MAX) throw new Fault('the types of the expression are too complex', 0);
  }

  #contains(type: Type, variable: string): boolean {
    this.#step();
    if (type.kind === 'variable') {
      if (type.name === variable) return true;
      const known = this.#known.get(type.name);
      return known !== undefined && this.#contains(known, variable);
    }
    if (type.kind === 'list' || type.kind === 'map') return type.of.some((part) => this.#contains(part, variable));
    return false;
  }

  /** Of two types that fit. */
  #mostGeneral(one: Type, other: Type): Type {
    return this.#isAsGeneral(one, other) ? one : other;
  }

  #isAsGeneral(one: Type, other: Type): boolean {
    this.#step();
    if (one.kind === 'dyn' || one.kind === 'variable') return true;
    if (other.kind === 'dyn' || other.kind === 'variable' || one.kind !== other.kind) return false;
    if (one.kind === 'list' && other.kind === 'list') return this.#isAsGeneral(one.of[0], other.of[0]);
    if (one.kind === 'map' && other.kind === 'map') {
      return this.#isAsGeneral(one.of[0], other.of[0]) && this.#isAsGeneral(one.of[1], other.of[1]);
    }
    return true;
  }
}
