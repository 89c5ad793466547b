import { z } from 'zod';

/** Well-formed text without control characters. */
const oneLine = /^[^\p{Cc}\p{Cs}]*$/u;
/** The same with line breaks and tabs. */
const manyLines = /^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u;

/** What a resource is called, for people. */
export const nameSchema: z.ZodType<string> = z
  .string()
  .max(200)
  .regex(oneLine, 'must be text without control characters')
  .regex(/\S/, 'must not be blank');

export const descriptionSchema: z.ZodType<string> = z
  .string()
  .max(1000)
  .regex(manyLines, 'must be text without control characters');

/** A word or two: a label, or half of a permission's slug. */
export const labelSchema: z.ZodType<string> = z
  .string()
  .min(1)
  .max(128)
  .regex(oneLine, 'must be text without control characters');
