import type { ServerMetadata } from 'openid-client';
import { ProblemError } from '../../../http/index.ts';
import type { Clock, OutboundGuard } from '../../../platform/index.ts';
import { type Discovered, discover } from '../../providers/index.ts';
import { clientOf } from './code-flow.ts';
import { type OpenIdClient, requiredSecret, secretIn } from './openid.ts';
import { Remembered } from './remembered.ts';
import { type OpenProvider, UpstreamError } from './upstream.ts';

/** How long what an issuer says of itself is taken for what it says now. */
const FRESH_MS = 10 * 60 * 1000;

/** What issuers say of themselves, asked anew from time to time; while one does not answer, what it said last. */
export class DiscoveredIssuers {
  readonly #guard: OutboundGuard;
  readonly #known: Remembered<Discovered>;

  constructor(guard: OutboundGuard, clock: Clock) {
    this.#guard = guard;
    this.#known = new Remembered(clock);
  }

  /** @throws UpstreamError */
  async of({ record }: OpenProvider): Promise<Discovered> {
    const { issuerUrl } = record.details;
    if (issuerUrl === undefined) throw new UpstreamError('misconfigured', 'the provider has no issuerUrl');
    const known = this.#known.get(issuerUrl);
    if (known !== undefined && known.age < FRESH_MS) return known.value;
    try {
      const discovered = await discover(this.#guard, issuerUrl);
      this.#known.keep(issuerUrl, discovered);
      return discovered;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const last = known?.value ?? record.discovered;
      if (last === undefined) throw new UpstreamError('unreachable', `the issuer ${issuerUrl} cannot be read`, error);
      return last;
    }
  }
}

/** A provider whose endpoints its issuer tells. */
export function discoveredClient(issuers: DiscoveredIssuers): OpenIdClient {
  return async (dependencies, provider) => {
    const discovered = await issuers.of(provider);
    const secret = { text: requiredSecret(provider), in: secretIn(discovered.tokenAuthMethods) };
    return clientOf(dependencies, provider, metadataOf(discovered), secret);
  };
}

/** Signatures whose key is the issuer's alone: `none` is none, and a shared secret is ours as well. */
const signatures = /^(?:[RPE]S(?:256|384|512)|EdDSA|Ed25519)$/;

function metadataOf(discovered: Discovered): ServerMetadata {
  const algorithms = discovered.idTokenAlgorithms.filter((name) => signatures.test(name));
  return {
    issuer: discovered.issuer,
    authorization_endpoint: discovered.authorizationEndpoint,
    token_endpoint: discovered.tokenEndpoint,
    jwks_uri: discovered.jwksUri,
    id_token_signing_alg_values_supported: algorithms.length === 0 ? ['RS256'] : algorithms,
    authorization_response_iss_parameter_supported: discovered.namesItself ?? false,
    ...(discovered.userinfoEndpoint === undefined ? {} : { userinfo_endpoint: discovered.userinfoEndpoint }),
  };
}
