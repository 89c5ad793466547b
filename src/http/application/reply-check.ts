import type { Reply } from '../reply/reply.ts';
import type { Endpoint } from '../routing/endpoint.ts';

/** What is wrong with an answer by its endpoint's own description; `undefined` where nothing is. */
export function checkReply(endpoint: Endpoint, reply: Reply): string | undefined {
  const response = endpoint.responses.get(reply.status);
  if (response === undefined) return `${endpoint.method} ${endpoint.path} does not describe status ${reply.status}`;
  if (response.schema === undefined || typeof reply.body !== 'string') return undefined;
  const result = response.schema.safeParse(JSON.parse(reply.body));
  if (result.success) return undefined;
  return result.error.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`).join('; ');
}
