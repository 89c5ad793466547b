import { z } from 'zod';
import { json, noContent, type Reply, type ResponseDetails } from '../../http/index.ts';
import { type Family, singleAnswer, singleSchema } from '../lists/index.ts';

type Responses = Readonly<Record<number, z.ZodType | ResponseDetails>>;

const deleted = z.strictObject({ id: z.string(), deleted: z.literal(true) });

/** Deleting a role or a group answers 200 in the org family; in the tenant family a DELETE answers 204. */
export function deletedResponses(family: Family, description = 'It is gone.'): Responses {
  return family === 'org' ? { 200: singleSchema(deleted) } : { 204: { description } };
}

export function deletedReply(id: string, family: Family): Reply<unknown> {
  return family === 'org' ? json(200, singleAnswer({ id, deleted: true }, family)) : noContent();
}

/** Removing something from a role or a group: the org family shows what it is now. */
export function removedResponses(item: z.ZodType, family: Family): Responses {
  return family === 'org' ? { 200: singleSchema(item) } : { 204: { description: 'It is gone.' } };
}

export function removedReply(item: unknown, family: Family): Reply<unknown> {
  return family === 'org' ? json(200, singleAnswer(item, family)) : noContent();
}
