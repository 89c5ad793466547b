import { z } from 'zod';

/**
 * Any object, described as `description` says: for a body that its protocol judges by itself, with errors of its own.
 * @param id the name of its schema
 */
export function describedObject(
  id: string,
  description: z.ZodType | Readonly<Record<string, unknown>>,
): z.ZodRecord<z.ZodString, z.ZodUnknown> {
  const { $schema, ...described } =
    description instanceof z.ZodType
      ? z.toJSONSchema(description, { io: 'input', unrepresentable: 'any' })
      : { $schema: undefined, ...description };
  return z.record(z.string().max(NAME_MAX), z.unknown()).meta({ additionalProperties: {}, ...described, id });
}

const NAME_MAX = 200;
