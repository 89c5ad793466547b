/** The names in braces of a path, each a text: `/orgs/{orgId}/users/{userId}` has `orgId` and `userId`. */
export type PathParameters<Path extends string> = string extends Path
  ? Readonly<Record<string, string>>
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? { readonly [Key in Name | keyof PathParameters<Rest>]: string }
    : unknown;

export interface PathPattern {
  /** A literal, or `undefined` where a parameter stands. */
  readonly segments: readonly (string | undefined)[];
  /** Names of the parameters, in order. */
  readonly names: readonly string[];
}

const literal = /^[A-Za-z0-9._~-]+$/;
const parameter = /^\{([A-Za-z][A-Za-z0-9_]*)\}$/;

/** @throws RangeError where the path is not `/`, or segments that are each a literal or one parameter */
export function parsePath(path: string): PathPattern {
  if (path === '/') return { segments: [], names: [] };
  const names: string[] = [];
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => {
      if (literal.test(segment)) return segment;
      const name = parameter.exec(segment)?.[1];
      if (name === undefined || !path.startsWith('/')) throw new RangeError(`${path} is no path of an endpoint`);
      names.push(name);
      return undefined;
    });
  if (new Set(names).size !== names.length) throw new RangeError(`${path} names a parameter twice`);
  return { segments, names };
}
