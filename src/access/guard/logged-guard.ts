import type { Engine } from '#engine';
import { type Guard, Problem, type Visit } from '../../http/index.ts';
import type { Organization, OrganizationDirectory } from '../../kernel/organizations/index.ts';
import { isForScim } from './scopes.ts';

interface LogDependencies {
  readonly engine: Engine;
  readonly directory: OrganizationDirectory;
  /** Called at once with every SCIM request, as its data are not there later. The result is called if it is refused. */
  readonly watch: (visit: Visit) => (organization: Organization, refusal: Problem) => void;
}

/** The same guard, which reports SCIM requests that fail authentication. */
export function loggedGuard<Caller>(
  guard: Guard<Caller>,
  { engine, directory, watch }: LogDependencies,
): Guard<Caller> {
  return {
    authenticate(visit) {
      if (!isForScim(visit)) return guard.authenticate(visit);
      const tell = watch(visit);
      const { tenant, orgId = '' } = visit.params;
      const told = (caller: Caller | Problem): Caller | Problem => {
        if (!(caller instanceof Problem)) return caller;
        const organization = engine.read(() => directory.find(tenant ?? orgId));
        if (organization !== undefined) tell(organization, caller);
        return caller;
      };
      const caller = guard.authenticate(visit);
      return caller instanceof Promise ? caller.then(told) : told(caller);
    },
    authorize: (caller, access, visit) => guard.authorize(caller, access, visit),
  };
}
