import { typeName } from '../values/type-value.ts';

/** What is asked of a map is not in it. Its path is what would have to be there: `subject.team`. */
export class AbsentKey extends Error {
  readonly path: string | undefined;

  constructor(key: unknown, path: string | undefined) {
    super(`No such key: ${String(key).slice(0, 64)}`);
    this.path = path;
  }
}

export function noOverload(name: string, ...values: readonly unknown[]): Error {
  const [left, right] = values.map(typeName);
  return new Error(
    right === undefined ? `no such overload: ${name} of ${left}` : `no such overload: ${left} ${name} ${right}`,
  );
}
