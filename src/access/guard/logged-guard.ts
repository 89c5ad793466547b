import type { Engine } from '#engine';
import { type Guard, Problem, type Visit } from '../../http/index.ts';
import type { Organization, OrganizationDirectory } from '../../kernel/organizations/index.ts';
import { isForScim } from './scopes.ts';

interface LogDependencies {
  readonly engine: Engine;
  readonly directory: OrganizationDirectory;
  /** Called with every visit for SCIM, to copy what will be needed; the answer is told who was not let in. */
  readonly watch: (visit: Visit) => (organization: Organization, refusal: Problem) => void;
}

/** The same guard, telling whom it does not let in where people and groups are provisioned. */
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
