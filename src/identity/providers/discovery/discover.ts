import { z } from 'zod';
import { invalid, refused, usableAddress } from '../../../kernel/transactions/index.ts';
import { OutboundError, type OutboundGuard, outboundRequest } from '../../../platform/index.ts';

/** What an issuer says of itself (OpenID Connect Discovery 1.0, 3): as much as signing in through it needs. */
export const discoveredSchema = z
  .strictObject({
    issuer: z.string(),
    authorizationEndpoint: z.string(),
    tokenEndpoint: z.string(),
    jwksUri: z.string(),
    userinfoEndpoint: z.string().exactOptional(),
    endSessionEndpoint: z.string().exactOptional(),
    scopesSupported: z.array(z.string()).readonly(),
    tokenAuthMethods: z.array(z.string()).readonly(),
    idTokenAlgorithms: z.array(z.string()).readonly(),
    codeChallengeMethods: z.array(z.string()).readonly(),
    /** RFC 9207: its answers name it. Absent in records from before this was asked. */
    namesItself: z.boolean().exactOptional(),
  })
  .readonly();

export type Discovered = z.output<typeof discoveredSchema>;

const url = z.string().min(1).max(2048);
const names = z.array(z.string().max(256)).max(200).default([]);

/** Members beside these are not looked at. */
const discoveryDocument = z.object({
  issuer: url,
  authorization_endpoint: url,
  token_endpoint: url,
  jwks_uri: url,
  userinfo_endpoint: url.optional(),
  end_session_endpoint: url.optional(),
  scopes_supported: names,
  token_endpoint_auth_methods_supported: names,
  id_token_signing_alg_values_supported: names,
  code_challenge_methods_supported: names,
  authorization_response_iss_parameter_supported: z.boolean().default(false),
});

type DiscoveryDocument = z.output<typeof discoveryDocument>;

const TIMEOUT_MS = 10_000;
const BODY_MAX = 256 * 1024;
const path = 'issuerUrl';

/**
 * Reads an issuer's configuration.
 * @throws ProblemError 400 where the URL itself is wrong, 422 where what it leads to is
 */
export async function discover(guard: OutboundGuard, issuerUrl: string): Promise<Discovered> {
  const issuer = requireIssuer(guard, issuerUrl);
  const document = parse(await fetchDocument(guard, `${issuer}/.well-known/openid-configuration`));
  // section 4.3: otherwise one issuer could speak for another
  if (withoutSlash(document.issuer) !== issuer)
    throw refused('The issuer in the configuration is a different one.', path);
  for (const endpoint of endpointsOf(document)) requireEndpoint(guard, endpoint);
  const { userinfo_endpoint: userinfo, end_session_endpoint: endSession } = document;
  return {
    issuer: document.issuer,
    authorizationEndpoint: document.authorization_endpoint,
    tokenEndpoint: document.token_endpoint,
    jwksUri: document.jwks_uri,
    ...(userinfo === undefined ? {} : { userinfoEndpoint: userinfo }),
    ...(endSession === undefined ? {} : { endSessionEndpoint: endSession }),
    scopesSupported: document.scopes_supported,
    tokenAuthMethods: document.token_endpoint_auth_methods_supported,
    idTokenAlgorithms: document.id_token_signing_alg_values_supported,
    codeChallengeMethods: document.code_challenge_methods_supported,
    namesItself: document.authorization_response_iss_parameter_supported,
  };
}

function requireIssuer(guard: OutboundGuard, text: string): string {
  const { search, hash } = usableAddress(path, () => guard.requireUrl(text));
  if (search !== '' || hash !== '') throw invalid(path, 'must have no query and no fragment');
  return withoutSlash(text);
}

async function fetchDocument(guard: OutboundGuard, address: string): Promise<unknown> {
  try {
    const headers = { accept: 'application/json' };
    const answer = await outboundRequest(guard, { url: address, headers, timeoutMs: TIMEOUT_MS, bodyMax: BODY_MAX });
    if (answer.status === 200) return JSON.parse(answer.body.toString('utf8'));
  } catch (error) {
    if (error instanceof OutboundError && error.code === 'refused_address') {
      throw refused('The issuer is not on the public network.', path);
    }
    // what exactly failed would tell a caller what there is behind the address
    if (!(error instanceof OutboundError || error instanceof SyntaxError)) throw error;
  }
  throw refused('The issuer has no configuration that can be read at /.well-known/openid-configuration.', path);
}

function parse(value: unknown): DiscoveryDocument {
  const parsed = discoveryDocument.safeParse(value);
  if (parsed.success) return parsed.data;
  const member = parsed.error.issues[0]?.path.join('.') ?? '';
  throw refused(`The issuer's configuration lacks a usable ${member === '' ? 'object' : member}.`, path);
}

function endpointsOf(document: DiscoveryDocument): string[] {
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint, end_session_endpoint } = document;
  const all = [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint, end_session_endpoint];
  return all.filter((each) => each !== undefined);
}

/** That it leads to the public network is checked when it is asked, each time anew. */
function requireEndpoint(guard: OutboundGuard, text: string): void {
  try {
    guard.requireUrl(text);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw refused(`The issuer's configuration names an endpoint that ${error.message}.`, path);
  }
}

function withoutSlash(text: string): string {
  return text.replace(/\/$/, '');
}
