import type { Endpoint } from '../../http/index.ts';
import { checkSessionEndpoint } from './check-session/index.ts';
import { deviceAuthorizationEndpoint } from './device/device-authorization-endpoint.ts';
import { tokenEndpoints } from './grants/token-endpoint.ts';
import { introspectionEndpoint } from './lifecycle/introspect.ts';
import { revocationEndpoint } from './lifecycle/revoke.ts';
import { jwksEndpoint } from './metadata/jwks-endpoint.ts';
import { metadataEndpoints } from './metadata/metadata-endpoints.ts';
import type { ProtocolParts } from './protocol/parts.ts';

/** Endpoints of the protocol: public, because their callers prove who they are by the protocol's own means. */
export function protocolEndpoints(parts: ProtocolParts): Endpoint[] {
  return [
    ...metadataEndpoints(parts),
    jwksEndpoint(parts),
    ...tokenEndpoints(parts),
    deviceAuthorizationEndpoint(parts),
    introspectionEndpoint(parts),
    revocationEndpoint(parts),
    checkSessionEndpoint(parts),
  ];
}
