import type { Endpoint } from '../../http/index.ts';
import { authorizeEndpoints } from './authorize/authorize-endpoints.ts';
import type { AuthorizationDependencies } from './authorize/dependencies.ts';
import { socialSignInEndpoint } from './authorize/social-endpoint.ts';
import { consentEndpoints } from './consent/consent-endpoints.ts';
import { devicePages } from './device/device-page-endpoints.ts';
import { endSessionEndpoints } from './logout/end-session-endpoints.ts';
import { parEndpoint } from './par/par-endpoint.ts';
import { userinfoEndpoints } from './userinfo/userinfo-endpoints.ts';

/** Endpoints by which users authorize clients, and clients learn who they are. */
export function authorizationEndpoints(dependencies: AuthorizationDependencies): Endpoint[] {
  return [
    ...authorizeEndpoints(dependencies),
    parEndpoint(dependencies),
    socialSignInEndpoint(dependencies),
    ...userinfoEndpoints(dependencies),
    ...endSessionEndpoints(dependencies.visits),
  ];
}

/** Pages on the way, which are no part of the interface that is described. */
export function authorizationPages(dependencies: AuthorizationDependencies): Endpoint[] {
  return [...consentEndpoints(dependencies), ...devicePages(dependencies)];
}
