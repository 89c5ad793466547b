import type { Endpoint } from '../../http/index.ts';
import { agentPageEndpoints } from './agents/agent-endpoints.tsx';
import type { AccountDependencies } from './dependencies.ts';
import { addFactorEndpoints } from './factors/add-factor-endpoints.tsx';
import { factorEndpoints } from './factors/factor-endpoints.tsx';
import { identityPageEndpoints } from './identities/identity-endpoints.tsx';
import { passwordEndpoints } from './password/password-endpoints.tsx';
import { emailEndpoints } from './profile/email-endpoints.tsx';
import { profileEndpoints } from './profile/profile-endpoints.tsx';
import { securityEndpoint } from './security/security-room.tsx';
import { sessionPageEndpoints } from './sessions/session-endpoints.tsx';

/** Everything that users see and change of themselves. */
export function accountEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    ...profileEndpoints(dependencies),
    ...emailEndpoints(dependencies),
    securityEndpoint(dependencies),
    ...passwordEndpoints(dependencies),
    ...sessionPageEndpoints(dependencies),
    ...factorEndpoints(dependencies),
    ...addFactorEndpoints(dependencies),
    ...identityPageEndpoints(dependencies),
    ...agentPageEndpoints(dependencies),
  ];
}
