import type { Answer, NewKey, Organization } from '../../server/running-service.ts';
import type { LabelledOrganization } from './labelled.ts';

/**
 * Makes a labelled organization by its administration interface, and a key that has what its tuples give to whoever
 * asks; only agents and people can be in groups.
 */
export async function furnish(
  org: Organization,
  { permissions, roles, groups, model, tuples }: LabelledOrganization,
): Promise<NewKey> {
  for (const permission of permissions) await created(org, '/admin/permissions', permission);
  for (const { slug } of roles) await created(org, '/admin/roles', { slug, name: slug });
  for (const name of groups) await created(org, '/admin/groups', { name });
  const [, , ...lines] = model;
  await org.model(...lines.map((line) => line.replace('agent', 'agent, api_key')));
  const granted = roles.flatMap(({ slug, permissions: held }) =>
    held.map((permission) => `permission:${permission}#granted@role:${slug}#assignee`),
  );
  const key = await org.newKey({});
  const own = tuples
    .filter((tuple) => !tuple.startsWith('group:'))
    .map((tuple) => tuple.replace('agent:AGENT', key.subject));
  const answer = await org.post('/zanzibar/tuples', { writes: [...granted, ...own] });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return key;
}

async function created(org: Organization, path: string, body: unknown): Promise<void> {
  const answer = await org.post(path, body);
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
}

export interface Asked {
  readonly allowed: boolean;
  readonly explanation: string;
  readonly confidence: number;
  readonly required_scopes: readonly string[];
}

/** @param subject the caller where omitted */
export function asking(org: Organization, question: string, context: object = {}, subject?: string): Promise<Answer> {
  return org.post('/agents/ask', { question, context: { ...context, ...(subject === undefined ? {} : { subject }) } });
}

export async function askedOf(...parameters: Parameters<typeof asking>): Promise<Asked> {
  const answer = await asking(...parameters);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body as Asked;
}
