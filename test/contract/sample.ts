import type { z } from 'zod';

const candidates = [
  'x',
  'xx',
  'user:x',
  'document:x#viewer@user:x',
  'x@example.com',
  'https://example.com/',
  '+41446681800',
  '01890a5d-ac96-774b-bcce-b302099a8057',
  1,
  true,
  null,
] as const;

/** A value that the schema accepts, or `undefined` where none is known. */
export function sampleOf(schema: z.ZodType): unknown {
  const usual = candidates.find((value) => schema.safeParse(value).success);
  if (usual !== undefined) return usual;
  const def = schema.def as unknown as Readonly<Record<string, unknown>>;
  const built = builtBy(def);
  return built !== undefined && schema.safeParse(built).success ? built : undefined;
}

function builtBy(def: Readonly<Record<string, unknown>>): unknown {
  switch (def.type) {
    case 'enum':
      return Object.values(def.entries as object)[0];
    case 'literal':
      return (def.values as readonly unknown[])[0];
    case 'array':
      return [sampleOf(def.element as z.ZodType)];
    case 'record':
      return {};
    case 'union':
      return (def.options as readonly z.ZodType[]).map(sampleOf).find((value) => value !== undefined);
    case 'object': {
      const shape = Object.entries(def.shape as Readonly<Record<string, z.ZodType>>);
      return Object.fromEntries(shape.map(([name, field]) => [name, sampleOf(field)]));
    }
    case 'pipe':
      return sampleOf(def.in as z.ZodType);
    default:
      return def.innerType === undefined ? undefined : sampleOf(def.innerType as z.ZodType);
  }
}
