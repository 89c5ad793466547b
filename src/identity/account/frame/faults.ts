import type { z } from 'zod';
import { issueText, ProblemError } from '../../../http/index.ts';
import type { Texts } from '../../../texts/index.ts';
import { type FormFault, refusalText } from '../../pages/index.ts';

/** What a form's fields must be, or what is wrong with them. */
export type Parsed<T> = { readonly values: T } | { readonly faults: readonly FormFault[] };

/** @param words what is said of each field that is not as it must be */
export function parseForm<T>(
  schema: z.ZodType<T>,
  fields: unknown,
  words: Readonly<Record<string, string>>,
): Parsed<T> {
  const result = schema.safeParse(fields, { error: issueText });
  if (result.success) return { values: result.data };
  return {
    faults: result.error.issues.map(({ path, message }) => {
      const field = String(path[0] ?? '');
      return { field, message: words[field] ?? message };
    }),
  };
}

const shown = new Set(['refused', 'conflict', 'invalid_request', 'mail_failed', 'task_settled']);

/** What a refusal of the service says to the form. @throws whatever is no refusal */
export function faultsOf(t: Texts, error: unknown, fields: readonly string[]): FormFault[] {
  if (!(error instanceof ProblemError) || !shown.has(error.problem.kind.code)) throw error;
  const [first] = error.problem.options.errors ?? [];
  const field = first !== undefined && fields.includes(first.path) ? first.path : '';
  return [{ field, message: refusalText(t, error.problem) }];
}
