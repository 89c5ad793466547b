import { z } from 'zod';

/** Values of boxes with one name, as a form sends them: nothing where none is ticked, a text where one is. */
export function ticked(lengthMax: number, countMax: number): z.ZodType<readonly string[]> {
  const text = z.string().max(lengthMax);
  return z.union([text.transform((one) => [one]), z.array(text).max(countMax)]).default([]);
}
