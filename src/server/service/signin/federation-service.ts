import {
  Federation,
  type FederationDependencies,
  type Route,
  samlUpstream,
  upstreamsOf,
} from '../../../identity/federation/index.ts';
import { type Config, OutboundGuard } from '../../../platform/index.ts';
import type { SignInService } from './sign-in-dependencies.ts';

/** Signing in through providers, of one thread. */
export interface FederationService {
  readonly dependencies: FederationDependencies;
  readonly federation: Federation;
}

/** @param route where URLs of providers are really asked: where they say, but in tests */
export function federationService(
  { dependencies, signIn }: SignInService,
  { allowPrivateUrls }: Pick<Config, 'allowPrivateUrls'>,
  route: Route = (url) => url,
): FederationService {
  const asking = { guard: new OutboundGuard(allowPrivateUrls), route, clock: dependencies.clock };
  const own = { ...dependencies, signIn, upstreams: upstreamsOf(asking, samlUpstream(asking)) };
  return { dependencies: own, federation: new Federation(own) };
}
