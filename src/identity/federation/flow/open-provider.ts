import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { SealError } from '../../../platform/index.ts';
import { callbackUrl, openSecrets, type ProviderEntry } from '../../providers/index.ts';
import type { FederationDependencies } from '../dependencies.ts';
import { type OpenProvider, type Upstream, UpstreamError } from '../upstreams/upstream.ts';
import type { Stopped } from './pages.tsx';

/** A provider of an organization, ready to be asked. */
export interface Opened {
  readonly provider: OpenProvider;
  readonly upstream: Upstream;
}

/** @throws UpstreamError where its secrets were sealed with another master key */
export function openProvider(
  dependencies: FederationDependencies,
  organization: Organization,
  entry: ProviderEntry,
): Opened {
  const orgApi = `${dependencies.baseUrl}/orgs/${organization.slug}/api/v1`;
  const { document: record } = entry;
  try {
    const secrets = openSecrets(dependencies.sealer, organization.id, entry);
    const provider = { record, secrets, callbackUrl: callbackUrl(orgApi, record.provider) };
    return { provider, upstream: dependencies.upstreams[record.type] };
  } catch (error) {
    if (error instanceof SealError) throw new UpstreamError('misconfigured', 'its secrets do not open', error);
    throw error;
  }
}

export interface Failing {
  readonly organization: Organization;
  readonly facts: RequestFacts;
  readonly provider: string;
}

/**
 * What a failure means for who wanted to come in; the log gets the reason.
 * @throws whatever is no failure of a provider
 */
export function stopOf(
  dependencies: FederationDependencies,
  { organization, facts, provider }: Failing,
  error: unknown,
): Pick<Stopped, 'stop' | 'requestId'> {
  if (!(error instanceof UpstreamError)) throw error;
  const { fault, message } = error;
  if (fault === 'refused') return { stop: fault };
  const { requestId } = facts;
  dependencies.log.warn(
    { organization: organization.slug, provider, fault, reason: message, request_id: requestId },
    'nobody came in through a provider',
  );
  dependencies.failures.note(organization, undefined, facts, {
    eventType: 'user.login_failed',
    action: 'login.provider',
    metadata: { provider, reason: fault },
  });
  return { stop: fault, requestId };
}
