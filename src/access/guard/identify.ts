import { agencyBounds, agencyCountsUntil } from '../../directory/records/index.ts';
import type { Caller, OrganizationDirectory } from '../../kernel/organizations/index.ts';
import type { QueryRequest } from '../../kernel/queries/index.ts';
import { requireStillValid } from '../../kernel/transactions/index.ts';
import { type Judgement, SubjectCaller, superAdministrator } from './callers.ts';
import { provisionerOf } from './provisioning-callers.ts';

/** What a thread needs to identify the caller. */
export interface IdentifyDependencies extends Judgement {
  readonly directory: OrganizationDirectory;
}

/**
 * The caller of a request that another thread has authenticated. Its rights are decided again in this thread.
 * @throws ProblemError 401 if its credential is no longer valid
 */
export function identifyAgain(dependencies: IdentifyDependencies, request: QueryRequest): Caller | undefined {
  const { organization: slug, subject, actor, agency, scopes, credential } = request;
  const { engine, clock, rights } = dependencies;
  const organization = dependencies.directory.find(slug);
  if (organization === undefined) return undefined;
  if (subject === undefined) return superAdministrator(organization);
  if (credential !== undefined) {
    const caller = provisionerOf(organization, { subject, actor }, credential, dependencies);
    if (caller !== undefined) requireStillValid(caller);
    return caller;
  }
  if (agency === undefined) {
    return new SubjectCaller(organization, { subject, actor, scopes }, dependencies, { isStillValid: () => true });
  }
  const bounds = agencyBounds(organization, agency, clock.now());
  const isStillValid = (): boolean =>
    engine.read(() => agencyCountsUntil({ organization, rights, now: clock.now() }, agency) !== undefined);
  const identity = { subject, actor, scopes, agency, ...bounds };
  const caller = new SubjectCaller(organization, identity, dependencies, { isStillValid });
  requireStillValid(caller);
  return caller;
}
