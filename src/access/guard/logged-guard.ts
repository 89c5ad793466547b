import type { Engine } from '#engine';
import { type Guard, Problem, type Visit } from '../../http/index.ts';
import type { Organization, OrganizationDirectory } from '../../kernel/organizations/index.ts';
import { isForScim } from './scopes.ts';

interface LogDependencies {
  readonly engine: Engine;
  readonly directory: OrganizationDirectory;
  /**
   * Called at once with every SCIM request, and with those of the platform about an organization, as their data are not
   * there later. The result is called if one is refused.
   */
  readonly watch: (visit: Visit) => (organization: Organization, refusal: Problem) => void;
}

/** The same guard, which reports requests of SCIM and of the platform that fail authentication. */
export function loggedGuard<Caller>(
  guard: Guard<Caller>,
  { engine, directory, watch }: LogDependencies,
): Guard<Caller> {
  return {
    foresee: (requests) => guard.foresee?.(requests),
    authenticate(visit) {
      const { tenant, orgId, slug = '' } = visit.params;
      const isOfPlatform = visit.endpoint.access === 'platform' && slug !== '';
      if (!isOfPlatform && !isForScim(visit)) return guard.authenticate(visit);
      const tell = watch(visit);
      const told = (caller: Caller | Problem): Caller | Problem => {
        if (!(caller instanceof Problem)) return caller;
        const organization = engine.read(() => directory.find(tenant ?? orgId ?? slug));
        if (organization !== undefined) tell(organization, caller);
        return caller;
      };
      const caller = guard.authenticate(visit);
      return caller instanceof Promise ? caller.then(told) : told(caller);
    },
    authorize: (caller, access, visit) => guard.authorize(caller, access, visit),
  };
}
