import { z } from 'zod';

/** A whole number in a query: its text is read strictly, without signs, blanks or exponents. */
export function queryInteger(bounds: { min: number; max: number; default: number }): z.ZodType<number> {
  const message = `must be a whole number from ${bounds.min} to ${bounds.max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .pipe(z.int().min(bounds.min, message).max(bounds.max, message))
    .default(bounds.default)
    .meta({ type: 'integer', minimum: bounds.min, maximum: bounds.max });
}

/** `true` or `false` in a query. */
export const queryBoolean: z.ZodType<boolean> = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ type: 'boolean' });

/** A parameter that may be repeated, or given once with commas. */
export function queryList(max: number): z.ZodType<string[]> {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (typeof value === 'string' ? value.split(',') : value))
    .pipe(z.array(z.string().min(1)).max(max));
}
