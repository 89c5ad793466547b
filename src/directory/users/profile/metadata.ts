import { z } from 'zod';

const BYTES_MAX = 16 * 1024;
const DEPTH_MAX = 8;
const NAME_MAX = 128;

/** A free-form object that policies see as attributes of the user. */
export const metadataSchema: z.ZodType<Record<string, unknown>> = z
  .record(z.string().min(1).max(NAME_MAX), z.unknown())
  .refine((value) => isShallow(value, DEPTH_MAX), `must be nested at most ${DEPTH_MAX} levels`)
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= BYTES_MAX, `must have at most ${BYTES_MAX} bytes`)
  .describe('Free-form; policies see its members as attributes of the user');

/** The depth of a body is bounded before it gets here, so that recursion is. */
function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((each) => isShallow(each, depth - 1));
}
