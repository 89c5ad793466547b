import { ProblemError, problem } from '../../../../http/index.ts';
import type { Organization } from '../../../../kernel/organizations/index.ts';
import { type BulkOperation, bulkLimits, type Performed } from '../../bulk/bulk-operation.ts';
import { readBulk } from '../../bulk/read-bulk.ts';
import { runBulk } from '../../bulk/run-bulk.ts';
import type { ScimDependencies, ScimRequest } from '../../service/scim-request.ts';
import type { ProvisioningCaller } from '../../tokens/provisioning-caller.ts';
import type { AskedChange } from '../asked-operation.ts';
import { OverlayRecords } from './dry-run.ts';
import { type Foreseen, type Outcome, refusalOf } from './outcome.ts';
import { tryChange } from './try-request.ts';

/**
 * What a bulk request would answer, and what it would change: its operations one after the other, each as if those
 * before it had been performed, except that their changes of members are not seen.
 * @param provisioner a SCIM token of an organization
 */
export async function tryBulk(
  dependencies: ScimDependencies,
  request: ScimRequest,
  provisioner: (organization: Organization) => ProvisioningCaller,
  body: unknown,
): Promise<Outcome> {
  const { organization } = request.caller;
  const overlay = new OverlayRecords();
  const store = overlay.over(organization.store);
  const changes: Foreseen[] = [];
  const perform = async (operation: BulkOperation): Promise<Performed> => {
    const { version, data } = operation;
    const caller = provisioner({ ...organization, store });
    const ofOne: ScimRequest = { ...request, caller, ifMatch: version };
    const asked = askedBy(operation);
    const outcome = await tryChange(dependencies, ofOne, asked, data, (planned) => overlay.add(planned));
    changes.push(...outcome.changes);
    return performed(request.base, operation, outcome);
  };
  try {
    requirePayload(body);
    const namesOf = (): readonly string[] => [];
    const locate = (endpoint: string, id: string): string => `${request.base}${endpoint}/${encodeURIComponent(id)}`;
    const failed = (error: unknown): never => {
      throw error;
    };
    const response = await runBulk({ perform, locate, namesOf, failed, window: 1 }, readBulk(body));
    return { status: 200, response: { ...response }, changes };
  } catch (error) {
    return refusalOf(error, { method: 'POST', type: 'User', id: undefined, parameters: {} });
  }
}

function requirePayload(body: unknown): void {
  const { maxPayloadSize } = bulkLimits;
  if (Buffer.byteLength(JSON.stringify(body ?? null)) <= maxPayloadSize) return;
  throw new ProblemError(problem('body_too_large', `The body exceeds the maxPayloadSize (${maxPayloadSize}).`));
}

function askedBy({ method, endpoint, id }: BulkOperation): AskedChange {
  return { method, type: endpoint === '/Users' ? 'User' : 'Group', id, parameters: {} };
}

function performed(base: string, { method, endpoint, id }: BulkOperation, outcome: Outcome): Performed {
  const { response } = outcome;
  if (outcome.status >= 400) return { status: outcome.status, response };
  const found = id ?? (typeof response?.id === 'string' ? response.id : undefined);
  return {
    // a bulk request answers a PATCH without its resource, and as one that shows it
    status: method === 'PATCH' ? 200 : outcome.status,
    ...(found === undefined ? {} : { id: found, location: `${base}${endpoint}/${found}` }),
  };
}
