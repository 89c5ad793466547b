import { z } from 'zod';
import { type Problem, problemFromError, withAbsence } from '../../../../http/index.ts';
import { scimErrorBody } from '../../errors/render-scim.ts';
import type { AskedOperation } from '../asked-operation.ts';
import { foreseenSchema } from './foreseen.ts';

export const outcomeSchema = z.strictObject({
  status: z.int().describe('Status of the answer'),
  response: z.record(z.string(), z.unknown()).nullable().describe('Body of the answer'),
  changes: z.array(foreseenSchema).describe('Changes that the request would make'),
});
export type Outcome = z.output<typeof outcomeSchema>;

export function refusal(known: Problem): Outcome {
  return { status: known.kind.status, response: { ...scimErrorBody(known) }, changes: [] };
}

/** What is wrong with a request is its outcome. */
export function refusalOf(error: unknown, { type, id }: AskedOperation): Outcome {
  const known = problemFromError(error);
  if (known === undefined || known.kind.status >= 500) throw error;
  return refusal(id === undefined ? known : withAbsence(known, `/${type}s/{id}`, { id }));
}
