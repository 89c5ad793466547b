import { z } from 'zod';

/**
 * The body of a PUT or PATCH: what can be written, and by name what the resource shows but nobody writes. Those are
 * accepted, so that what was read can be sent back, and dropped. Anything else is refused.
 * @param shown what the resource shows; or the names of what of that nobody writes
 */
export function writableBody<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  shown: readonly string[] | z.ZodObject,
) {
  const names = shown instanceof z.ZodObject ? Object.keys(shown.shape) : shown;
  const readOnly = shown instanceof z.ZodObject ? names.filter((name) => !Object.hasOwn(shape, name)) : names;
  const ignored = Object.fromEntries(
    readOnly.map((name) => [name, z.unknown().optional().describe('Read only: accepted and ignored')]),
  );
  return z.strictObject({ ...ignored, ...shape }).transform((body) => {
    const written = Object.entries(body).filter(
      ([name]) => !Object.hasOwn(ignored, name) || Object.hasOwn(shape, name),
    );
    return Object.fromEntries(written) as z.output<z.ZodObject<Shape>>;
  });
}
