import { readSettings } from '../../../../directory/settings/index.ts';
import type { Organization } from '../../../../kernel/organizations/index.ts';
import { verifyIdTokenHint } from '../../id-tokens/id-token.ts';
import { issuerUrls } from '../../issuer.ts';
import type { ProtocolDependencies } from '../../protocol/dependencies.ts';
import type { Target } from '../request/answer-target.ts';
import type { AuthorizationRequest } from '../request/authorization-request.ts';
import type { RequestParameters } from '../request/parameters.ts';
import { checks } from './checks.ts';

/**
 * A request that keeps to every rule.
 * @throws ProblemError with an error of RFC 6749, 4.1.2.1, for the client
 */
export async function checkedRequest(
  { engine, baseUrl }: ProtocolDependencies,
  organization: Organization,
  { client, target }: Target,
  parameters: RequestParameters,
): Promise<AuthorizationRequest> {
  const { slug, store } = organization;
  const text = parameters.one('id_token_hint');
  const said = text === undefined ? undefined : await verifyIdTokenHint({ engine, baseUrl }, organization, text);
  const hint = said?.clientId === client.id ? said : undefined;
  const urls = issuerUrls(baseUrl, slug);
  return engine.read(() => {
    const { oauth, signIn } = readSettings(store);
    const set = { requirePkce: oauth.requirePkce, allowSignup: signIn.allowSignup };
    let request: AuthorizationRequest = { ...target, scopes: [], prompts: [] };
    for (const check of checks) {
      request = { ...request, ...check({ parameters, client, store, urls, ...set, hint, found: request }) };
    }
    return request;
  });
}
