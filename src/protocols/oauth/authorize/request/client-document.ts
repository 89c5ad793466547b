import { ProblemError, problem } from '../../../../http/index.ts';
import type { Organization } from '../../../../kernel/organizations/index.ts';
import { documentText } from '../../clients/index.ts';
import type { ProtocolDependencies } from '../../protocol/dependencies.ts';

/**
 * Brings a client whose id is the address of a document up to date. All others stay as they are on record.
 * @throws ProblemError for the user's eyes: where such a document is no client, nobody knows where the user came from
 */
export async function requireDocument(
  { documents }: Pick<ProtocolDependencies, 'documents'>,
  organization: Organization,
  clientId: string | undefined,
): Promise<void> {
  if (clientId === undefined) return;
  const fault = await documents.settle(organization, clientId, { mayBeNew: true });
  if (fault === undefined) return;
  const message = documentText(clientId, fault);
  const where = { errors: [{ path: 'client_id', message }] };
  throw new ProblemError(problem(fault.isLasting ? 'invalid_request' : 'unavailable', message, where));
}
