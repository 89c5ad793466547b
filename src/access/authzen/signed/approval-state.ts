import { z } from 'zod';
import type { TaskEntry } from '../../../directory/records/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { signJwt, verifyOwnJwt } from '../../../protocols/oauth/index.ts';
import { decisionPoint } from '../addresses.ts';
import type { AuthZenDependencies } from '../dependencies.ts';

type Signing = Pick<AuthZenDependencies, 'engine' | 'keys' | 'clock' | 'baseUrl'>;

const type = 'access-request-approval+jwt';

/**
 * What an approval carries as its `state` (Access Request and Approval Profile, "Approval and Re-evaluation"): which
 * approval it is, of which agent, and until when. The record decides; this shows that the id was not made up or swapped.
 * `undefined` where nothing was approved.
 */
export async function approvalState(
  { keys, clock, baseUrl }: Signing,
  organization: Organization,
  { id, document: { agentId, grant } }: TaskEntry,
): Promise<string | undefined> {
  if (grant === undefined) return undefined;
  const { issuer } = decisionPoint(baseUrl, organization.slug);
  const claims = {
    iss: issuer,
    aud: issuer,
    sub: agentId,
    iat: Math.floor(clock.now() / 1000),
    exp: Math.ceil(grant.until / 1000),
    approval_id: id,
    binding_context_members: [],
  };
  return signJwt(await keys.signer(organization, 'ES256'), { type, claims });
}

const claimsSchema = z.object({ iss: z.string(), aud: z.string(), approval_id: z.string() });

/**
 * Of which approval a state is; `undefined` where it was not made here for this organization. Whether that approval goes
 * on is read from its record, which knows of an earlier end, too.
 */
export async function approvalIdIn(
  { engine, baseUrl }: Signing,
  { store, slug }: Organization,
  text: string,
): Promise<string | undefined> {
  const own = await verifyOwnJwt(engine, store, text);
  const read = claimsSchema.safeParse(own?.claims);
  const { issuer } = decisionPoint(baseUrl, slug);
  if (!read.success || own?.type !== type || read.data.iss !== issuer || read.data.aud !== issuer) return undefined;
  return read.data.approval_id;
}
