import { systemActor } from '../../../../kernel/audit/index.ts';
import type { Organization } from '../../../../kernel/organizations/index.ts';
import { transactAs } from '../../../../kernel/transactions/index.ts';
import type { ClientEntry } from '../../clients/index.ts';
import type { ProtocolDependencies } from '../../protocol/dependencies.ts';
import { RequestOver } from '../answer/over-page.tsx';
import { clientThatAsks, requireRegistered } from './answer-target.ts';
import { type RequestEntry, type RequestRecord, takeRequest, waitingRequest } from './request-record.ts';

/** A request that waited, and the client that made it. */
export interface Fetched {
  readonly client: ClientEntry;
  readonly entry: RequestEntry;
}

/**
 * Fetches a request that was pushed or posted, once (RFC 9126, 4).
 * @throws RequestOver, or ProblemError for the user's eyes
 */
export function takeStored(
  dependencies: ProtocolDependencies,
  organization: Organization,
  id: string,
  clientId: string | undefined,
): Promise<Fetched> {
  const { store } = organization;
  return transactAs(dependencies, organization, systemActor, undefined, (transaction) => {
    const entry = waitingRequest(store, id, transaction.now);
    if (entry === undefined || entry.document.kind === 'begun' || entry.document.request.clientId !== clientId) {
      throw new RequestOver();
    }
    takeRequest(transaction, entry);
    return { entry, client: stillGood(organization, entry.document) };
  });
}

/**
 * The request that this browser has begun with. To be called inside a snapshot.
 * @throws RequestOver, or ProblemError for the user's eyes
 */
export function ownRequest(organization: Organization, browser: string, id: string, now: number): Fetched {
  const entry = waitingRequest(organization.store, id, now);
  if (entry?.document.kind !== 'begun' || entry.document.browser !== browser) throw new RequestOver();
  return { entry, client: stillGood(organization, entry.document) };
}

/** The client or its redirect URI may have changed since the request was checked. */
function stillGood({ store }: Organization, { request }: RequestRecord): ClientEntry {
  const client = clientThatAsks(store, request.clientId);
  requireRegistered(client, request.redirectUri);
  return client;
}
