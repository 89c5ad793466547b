import type { Endpoint } from '../../../http/index.ts';
import { inBothFamilies } from '../../../kernel/organizations/index.ts';
import type { UserDependencies } from '../dependencies.ts';
import { assignmentEndpoints } from './assignment-endpoints.ts';
import { credentialEndpoints } from './credential-endpoints.ts';
import { recordEndpoints } from './record-endpoints.ts';
import { statusEndpoints } from './status-endpoints.ts';

/** `/admin/users`, in both families. */
export function userEndpoints(dependencies: UserDependencies): Endpoint[] {
  return inBothFamilies((base, family) => {
    const room = { dependencies, base, family };
    return [
      ...recordEndpoints(room),
      ...statusEndpoints(room),
      ...credentialEndpoints(room),
      ...assignmentEndpoints(room),
    ];
  });
}
