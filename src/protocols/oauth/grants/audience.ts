import type { Organization } from '../../../kernel/organizations/index.ts';
import { type ClientEntry, resourcesOf } from '../clients/index.ts';
import { oauthError } from '../errors/index.ts';
import { type IssuerUrls, issuerUrls, resourceName } from '../issuer.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';

type AudienceDependencies = Pick<ProtocolDependencies, 'engine' | 'baseUrl'>;

/**
 * The one resource that a token is asked for (RFC 8707, 2.2), by its name in tokens: a token for two could be used by
 * each at the other.
 * @throws ProblemError `invalid_target`
 */
export function soleResource(
  urls: IssuerUrls,
  ...sent: readonly (string | readonly string[] | undefined)[]
): string | undefined {
  const uris = sent.flatMap((each) => each ?? []).filter((uri) => uri !== '');
  const named = new Set(uris.map((uri) => resourceName(uri, urls)));
  if (named.size > 1) throw oauthError('invalid_target', 'A token is for one resource: request one token for each.');
  return [...named][0];
}

/**
 * The audience of a token that a client asks for by itself: the organization's API, for which it answers `undefined`,
 * the part of it for the Model Context Protocol, or one that the client may get tokens for.
 * @throws ProblemError `invalid_target`
 */
export function requestedAudience(
  { engine, baseUrl }: AudienceDependencies,
  { slug, store }: Organization,
  client: ClientEntry,
  resource: string | undefined,
): string | undefined {
  const { api, mcp } = issuerUrls(baseUrl, slug);
  if (resource === undefined || resource === api) return undefined;
  if (resource === mcp) return resource;
  if (engine.read(() => resourcesOf(store, client)).includes(resource)) return resource;
  throw oauthError('invalid_target', 'The client may get no tokens for this resource.');
}

/**
 * The same where somebody has agreed to certain resources: one of them, the first where none is named.
 * @param granted absent or empty: the organization's API alone
 */
export function grantedAudience(
  dependencies: AudienceDependencies,
  organization: Organization,
  client: ClientEntry,
  resource: string | undefined,
  granted: readonly string[] | undefined,
): string | undefined {
  const { api } = issuerUrls(dependencies.baseUrl, organization.slug);
  const all = granted === undefined || granted.length === 0 ? [api] : granted;
  const chosen = resource ?? all[0];
  if (chosen === undefined || !all.includes(chosen)) {
    throw oauthError('invalid_target', 'The resource was not among those granted.');
  }
  return requestedAudience(dependencies, organization, client, chosen);
}
