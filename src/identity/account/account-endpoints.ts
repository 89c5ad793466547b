import type { Endpoint } from '../../http/index.ts';
import { addFactorEndpoints } from './factors/add-factor-endpoints.tsx';
import { factorEndpoints } from './factors/factor-endpoints.tsx';
import { identityPageEndpoints } from './identities/identity-endpoints.tsx';
import { overviewEndpoint } from './overview-endpoint.tsx';
import type { AccountParts } from './parts.ts';
import { passwordEndpoints } from './password/password-endpoints.tsx';
import { emailEndpoints } from './profile/email-endpoints.tsx';
import { profileEndpoints } from './profile/profile-endpoints.tsx';
import { sessionPageEndpoints } from './sessions/session-endpoints.tsx';

/** Everything that users see and change of themselves. */
export function accountEndpoints(parts: AccountParts): Endpoint[] {
  return [
    overviewEndpoint(parts),
    ...profileEndpoints(parts),
    ...emailEndpoints(parts),
    ...passwordEndpoints(parts),
    ...sessionPageEndpoints(parts),
    ...factorEndpoints(parts),
    ...addFactorEndpoints(parts),
    ...identityPageEndpoints(parts),
  ];
}
