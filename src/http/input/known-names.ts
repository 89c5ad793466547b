import type { z } from 'zod';

/** What people write where another field is meant. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  action: ['permission', 'relation'],
  id: ['permissionId'],
  object: ['resource'],
  permission: ['relation', 'permissions'],
  permissions: ['permission'],
  principal: ['subject'],
  relation: ['permission'],
  resource: ['object'],
  scope: ['permission'],
  tuples: ['writes'],
  user: ['subject', 'userId'],
  userId: ['subject'],
};

const LENGTH_MAX = 64;

/** The field that an unknown one was probably meant to be. @param path of the object that it stands in */
export function meantField(schema: z.ZodType, path: readonly PropertyKey[], name: string): string | undefined {
  if (name.length > LENGTH_MAX) return undefined;
  const known = namesAt([schema], path);
  const other = synonyms[Object.hasOwn(synonyms, name) ? name : '']?.find((each) => known.has(each));
  if (other !== undefined) return other;
  const slips = name.length < 5 ? 1 : 2;
  return [...known]
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ distance }) => distance <= slips)
    .sort((one, two) => one.distance - two.distance)[0]?.each;
}

type Schema = z.core.$ZodType;
type Definition = z.core.$ZodTypes['_zod']['def'];

/** The names of the fields of all objects that may stand at a path. */
function namesAt(schemas: readonly Schema[], path: readonly PropertyKey[]): Set<string> {
  let at = schemas.flatMap(unwrapped);
  for (const part of path) at = at.flatMap((definition) => below(definition, part)).flatMap(unwrapped);
  return new Set(at.flatMap((definition) => (definition.type === 'object' ? Object.keys(definition.shape) : [])));
}

function below(definition: Definition, part: PropertyKey): Schema[] {
  if (definition.type === 'object') {
    const found = Object.hasOwn(definition.shape, part) ? definition.shape[String(part)] : undefined;
    return found === undefined ? [] : [found];
  }
  if (definition.type === 'array') return [definition.element];
  return definition.type === 'record' ? [definition.valueType] : [];
}

/** Without what only says that it may be absent or is changed, and each alternative by itself. */
function unwrapped(schema: Schema): Definition[] {
  const definition = schema._zod.def as Definition;
  if ('innerType' in definition) return unwrapped(definition.innerType);
  if (definition.type === 'pipe') return unwrapped(definition.in);
  return definition.type === 'union' ? definition.options.flatMap(unwrapped) : [definition];
}

/** Letters put in, left out, replaced, or changed with their neighbour (optimal string alignment). */
function distanceOf(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      const above = rows[i - 1] as number[];
      let least = Math.min((above[j] as number) + 1, (row[j - 1] as number) + 1, (above[j - 1] as number) + cost);
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwapped) least = Math.min(least, ((rows[i - 2] as number[])[j - 2] as number) + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return (rows[one.length] as number[])[other.length] as number;
}
