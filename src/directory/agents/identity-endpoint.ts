import { z } from 'zod';
import type { Store } from '#engine';
import { type Endpoint, json } from '../../http/index.ts';
import { type Caller, endpoint, type FamilyBase, inBothFamilies } from '../../kernel/organizations/index.ts';
import { type QueryHandler, type QueryPool, type QueryTask, queryReply } from '../../kernel/queries/index.ts';
import { permissionObject } from '../../kernel/rights/index.ts';
import { type AdminDependencies, existing } from '../../kernel/transactions/index.ts';
import { type Clock, isoTime, isoTimeOrNull } from '../../platform/index.ts';
import { agentIdOf } from '../elevations/index.ts';
import { agentRecords, agentSubject } from '../records/index.ts';

const identitySchema = z.strictObject({
  agent_id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()).describe('Of the token; with a key the permissions that the agent holds now'),
  delegated_by: z.string().describe('The user for whom it acts, where one has delegated to it').optional(),
  expires_at: z.string().nullable().describe('Of the token; null with a key'),
});

type Identity = z.output<typeof identitySchema>;

export interface IdentityDependencies extends AdminDependencies {
  readonly queryPool: QueryPool;
}

/** `GET {api}/agents/me`, in both families. */
export function identityEndpoints(dependencies: IdentityDependencies): Endpoint[] {
  return inBothFamilies((base) => [identityEndpoint(dependencies, base)]);
}

function identityEndpoint({ engine, queryPool }: IdentityDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/agents/me`,
    summary: 'Get the calling agent',
    description: 'For agents alone: with their key, a token of their own, or one by which they act for somebody.',
    tags: ['Agents'],
    access: 'authenticated',
    responses: { 200: identitySchema },
    errors: ['forbidden', 'not_found'],
    handler({ caller }) {
      const agentId = agentIdOf(caller);
      // what a token may is in hand; what an agent holds may take long to find
      if (caller.scopes === undefined) return queryReply(queryPool, caller, { kind, agentId });
      const { scopes } = caller;
      return json(
        200,
        engine.read(() => identityOf(caller, agentId, scopes)),
      );
    },
  });
}

const kind = 'agent identity';

interface IdentityTask extends QueryTask {
  readonly kind: typeof kind;
  readonly agentId: string;
}

/** Of an agent with its key, in the query pool. */
export function identityQuery({ clock }: { readonly clock: Clock }): QueryHandler<IdentityTask> {
  return {
    kind,
    permission: undefined,
    answer(caller, { agentId }) {
      const held = heldPermissions(caller.organization.store, agentSubject(agentId), clock.now());
      return identityOf(caller, agentId, held);
    },
  };
}

/** To be called inside a snapshot. @throws ProblemError 404 where the agent is gone */
function identityOf(caller: Caller, agentId: string, scopes: readonly string[]): Identity {
  const { organization, subject = '', agency, expiresAt } = caller;
  const { document } = existing(agentRecords.get(organization.store, agentId));
  return {
    agent_id: agentId,
    name: document.name,
    scopes: [...scopes],
    ...(agency?.kind === 'delegation' ? { delegated_by: subject.slice('user:'.length) } : {}),
    expires_at: isoTimeOrNull(expiresAt),
  };
}

/** In the order of their names. What hangs on a condition that needs a request is not among them. */
function heldPermissions(store: Store, subject: string, now: number): string[] {
  const question = { type: 'permission', relation: 'granted', subject, now };
  const context = { now: isoTime(now) };
  const prefix = permissionObject('').length;
  const slugs: string[] = [];
  let cursor: string | undefined;
  do {
    const page = store.listObjects({ ...question, context, cursor });
    for (const object of page.items) slugs.push(object.slice(prefix));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return slugs.sort();
}
