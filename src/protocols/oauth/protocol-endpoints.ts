import type { Endpoint } from '../../http/index.ts';
import { checkSessionEndpoint } from './check-session/index.ts';
import { deviceAuthorizationEndpoint } from './device/device-authorization-endpoint.ts';
import { tokenEndpoints } from './grants/token-endpoint.ts';
import { introspectionEndpoint, revocationEndpoint } from './lifecycle/token-state-endpoints.ts';
import { jwksEndpoint } from './metadata/jwks-endpoint.ts';
import { metadataEndpoints } from './metadata/metadata-endpoints.ts';
import type { ProtocolDependencies } from './protocol/dependencies.ts';

/** Endpoints of the protocol: public, because their callers prove who they are by the protocol's own means. */
export function protocolEndpoints(dependencies: ProtocolDependencies): Endpoint[] {
  return [
    ...metadataEndpoints(dependencies),
    jwksEndpoint(dependencies),
    ...tokenEndpoints(dependencies),
    deviceAuthorizationEndpoint(dependencies),
    introspectionEndpoint(dependencies),
    revocationEndpoint(dependencies),
    checkSessionEndpoint(dependencies),
  ];
}
