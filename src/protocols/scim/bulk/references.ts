const prefix = 'bulkId:';

/** In the filter of a PATCH path, such as `members[value eq "bulkId:anne"]`. */
const quoted = /"bulkId:([^"\\]+)"/g;

/** Whom a text refers to, where all of it is a reference (RFC 7644, 3.7.2): `bulkId:anne` refers to `anne`. */
export function referenceIn(text: string): string | undefined {
  return text.startsWith(prefix) ? text.slice(prefix.length) : undefined;
}

/** Visits every text in some data, with the name of the member that it is or is listed in. The reader bounds the depth. */
export function eachText(value: unknown, visit: (text: string, name: string) => void, name = ''): void {
  if (typeof value === 'string') visit(value, name);
  else if (Array.isArray(value)) for (const each of value) eachText(each, visit, name);
  else if (typeof value === 'object' && value !== null) {
    for (const [member, each] of Object.entries(value)) eachText(each, visit, member);
  }
}

/** The bulkIds that some data refers to. */
export function referencesIn(data: unknown): Set<string> {
  const found = new Set<string>();
  eachText(data, (text, name) => {
    const whole = referenceIn(text);
    if (whole !== undefined) found.add(whole);
    else if (isPath(name)) for (const [, reference = ''] of text.matchAll(quoted)) found.add(reference);
  });
  return found;
}

/** A copy of some data with ids in place of references. All of them are known. */
export function replaceReferences(data: unknown, ids: ReadonlyMap<string, string>, name = ''): unknown {
  if (typeof data === 'string') return replaced(data, ids, name);
  if (Array.isArray(data)) return data.map((each) => replaceReferences(each, ids, name));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([member, each]) => [member, replaceReferences(each, ids, member)]),
  );
}

function replaced(text: string, ids: ReadonlyMap<string, string>, name: string): string {
  const whole = referenceIn(text);
  if (whole !== undefined) return ids.get(whole) ?? text;
  if (!isPath(name)) return text;
  return text.replace(quoted, (all, reference: string) => {
    const id = ids.get(reference);
    return id === undefined ? all : JSON.stringify(id);
  });
}

/** Names of members are in any case (RFC 7643, 2.1). */
function isPath(name: string): boolean {
  return name.toLowerCase() === 'path';
}
