import {
  Federation,
  type FederationParts,
  type Route,
  samlUpstream,
  upstreamsOf,
} from '../../../identity/federation/index.ts';
import { type Config, OutboundGuard } from '../../../platform/index.ts';
import type { SignInService } from './sign-in-parts.ts';

/** Signing in through providers, of one thread. */
export interface FederationService {
  readonly parts: FederationParts;
  readonly federation: Federation;
}

/** @param route where URLs of providers are really asked: where they say, but in tests */
export function federationService(
  { parts, signIn }: SignInService,
  { allowPrivateUrls }: Pick<Config, 'allowPrivateUrls'>,
  route: Route = (url) => url,
): FederationService {
  const asking = { guard: new OutboundGuard(allowPrivateUrls), route, clock: parts.clock };
  const own = { ...parts, signIn, upstreams: upstreamsOf(asking, samlUpstream(asking)) };
  return { parts: own, federation: new Federation(own) };
}
