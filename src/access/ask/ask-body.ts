import { z } from 'zod';

const QUESTION_MAX = 1000;
const TEXT_MAX = 1024;
const MEMBERS_MAX = 50;

const text = z.string().min(1).max(TEXT_MAX);
const objectText = text.regex(/^[^:\s]+:[^\s#]+$/u, 'must be `type:id`');

/** specification, JIT permissions and agents, `agents/ask`. */
export const askBody = z.strictObject({
  question: z.string().min(1).max(QUESTION_MAX),
  context: z
    .object({
      resource: z
        .union([objectText, z.strictObject({ type: z.string().min(1).max(254), id: text })])
        .describe('What "this" is: `type:id`, or `{type, id}`')
        .optional(),
      subject: objectText.describe('The caller if omitted; naming another needs `authz:check`').optional(),
    })
    .catchall(z.unknown())
    .refine((context) => Object.keys(context).length <= MEMBERS_MAX, `at most ${MEMBERS_MAX} members`)
    .describe('Members other than these are ignored')
    .optional(),
});
export type AskBody = z.output<typeof askBody>;

/** specification, Ask result. */
export const askResult = z.strictObject({
  allowed: z.boolean().describe('What the engine decides about the permission or relation that the question means'),
  explanation: z.string(),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .describe('How probable it is that the question was understood. Below 0.3 it was not, and `allowed` is false'),
  required_scopes: z.array(z.string()).describe('Slugs of the permissions that the question needs'),
});
export type AskResult = z.output<typeof askResult>;
