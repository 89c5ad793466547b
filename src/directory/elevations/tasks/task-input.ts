import { z } from 'zod';
import { EngineError, parseObject } from '#engine';
import { slugSchema } from '../../../kernel/organizations/index.ts';

const SCOPES_MAX = 50;
const RESOURCES_MAX = 100;
const OBJECT_MAX = 256;
const DAY_S = 86_400;

/** Well-formed text without control characters but line breaks and tabs. */
function words(lengthMax: number) {
  return z
    .string()
    .max(lengthMax)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u, 'must be text without control characters')
    .regex(/\S/, 'must not be blank');
}

const unique = (values: readonly string[]): boolean => new Set(values).size === values.length;

const objectText = z.string().min(3).max(OBJECT_MAX).refine(isObject, 'must be an object such as document:readme');

const objectParts = z
  .strictObject({ type: z.string().min(1).max(128), id: z.string().min(1).max(OBJECT_MAX) })
  .transform(({ type, id }) => `${type}:${id}`)
  .refine(isObject, 'must be an object such as {"type": "document", "id": "readme"}');

/** Objects as `type:id`, each once. */
export const resourcesSchema = z
  .array(z.union([objectText, objectParts]))
  .min(1)
  .max(RESOURCES_MAX)
  .refine(unique, 'must not contain duplicates');

export const scopesSchema = z.array(slugSchema).min(1).max(SCOPES_MAX).refine(unique, 'must not contain duplicates');

export const reasonSchema = words(500);

export const newTaskBody = z.strictObject({
  task_description: words(2000).describe('What the agent wants to do: shown to whoever decides'),
  required_scopes: scopesSchema.describe('Slugs of permissions'),
  duration: z.int().min(1).max(DAY_S).optional().describe('Seconds from the approval on; 300 if omitted'),
  resources: resourcesSchema.optional().describe('Objects for which the scopes are needed; all if omitted'),
});

export const addedScopeBody = z.strictObject({
  task_id: z.string().min(1).max(128),
  scope: slugSchema,
  justification: words(1000).describe('Why the agent needs it: shown to whoever decides'),
});

export type NewTask = z.output<typeof newTaskBody>;
export type AddedScope = z.output<typeof addedScopeBody>;

export { SCOPES_MAX };

function isObject(text: string): boolean {
  try {
    const { type, id } = parseObject(text);
    return type !== '' && id !== '' && id !== '*';
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}
