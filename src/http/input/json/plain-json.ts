/**
 * Readers of JSON bodies in their plainest form: known members in a known order, whose values are texts of printable
 * ASCII without escapes. One regular expression finds all of them in a fraction of the time that parsing and inspecting
 * an object takes. Where a body is of another form, a reader answers `undefined`, and the general way reads it.
 *
 * Sources of expressions; each text is one group. Every part begins with another character than those before it may
 * hold, so that matching is linear.
 */
const space = '[ \\t\\n\\r]*';

/** A text, captured. Its length is for the reader to judge: counting while matching costs more. */
export const plainText = '"([ !#-\\[\\]-~]+)"';

export function plainMember(name: string, value: string): string {
  return `"${name}"${space}:${space}${value}`;
}

/** A member that may be absent. Not the first of its object. */
export function optionalMember(name: string, value: string): string {
  return `(?:${space},${space}${plainMember(name, value)})?`;
}

/** `rest` are optional members. */
export function plainObject(members: readonly string[], rest: readonly string[] = []): string {
  return `\\{${space}${members.join(`${space},${space}`)}${rest.join('')}${space}\\}`;
}

/** @param read makes the value of the groups; `undefined` where one does not fit */
export function objectReader<T>(
  source: string,
  read: (groups: RegExpExecArray) => T | undefined,
): (text: string) => T | undefined {
  const whole = new RegExp(`^${space}${source}${space}$`);
  return (text) => {
    const groups = whole.exec(text);
    return groups === null ? undefined : read(groups);
  };
}

/** Reads `{"name":[item,…]}` with 1 to `max` items. */
export function listReader<T>(
  name: string,
  max: number,
  source: string,
  read: (groups: RegExpExecArray) => T | undefined,
): (text: string) => T[] | undefined {
  const start = new RegExp(`^${space}\\{${space}"${name}"${space}:${space}\\[${space}`);
  // what follows an item is its last group
  const item = new RegExp(`${source}${space}(,${space}|\\]${space}\\}${space}$)`, 'y');
  return (text) => {
    const items: T[] = [];
    let at = start.exec(text)?.[0].length;
    while (at !== undefined && items.length < max) {
      item.lastIndex = at;
      const groups = item.exec(text);
      const value = groups === null ? undefined : read(groups);
      if (groups === null || value === undefined) return undefined;
      items.push(value);
      if (groups.at(-1)?.startsWith(',') !== true) return items;
      at = item.lastIndex;
    }
    return undefined;
  };
}
