import { type Guard, Problem } from '../../http/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import type { ApiCalls } from './api-calls.ts';

/** Whose organization a caller acts in; the platform's own callers act in none. */
type Acting = { readonly organization: Organization } | { readonly kind: string };

/** The same guard, counting the calls of everybody whom it lets in. */
export function countedGuard<Caller extends Acting>(guard: Guard<Caller>, apiCalls: ApiCalls): Guard<Caller> {
  const counted = (caller: Caller | Problem): Caller | Problem => {
    if (!(caller instanceof Problem) && 'organization' in caller) apiCalls.note(caller.organization);
    return caller;
  };
  return {
    foresee: (requests) => guard.foresee?.(requests),
    authenticate(visit) {
      const caller = guard.authenticate(visit);
      return caller instanceof Promise ? caller.then(counted) : counted(caller);
    },
    authorize: (caller, access, visit) => guard.authorize(caller, access, visit),
  };
}
