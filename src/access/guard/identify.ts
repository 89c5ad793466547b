import type { Caller, OrganizationDirectory } from '../../kernel/organizations/index.ts';
import type { QueryRequest } from '../../kernel/queries/index.ts';
import { type Judgement, SubjectCaller, SuperAdministrator } from './callers.ts';

/** What a thread needs to know who asks. */
export interface IdentifyDependencies extends Judgement {
  readonly directory: OrganizationDirectory;
}

/** The caller of a request that another thread has accepted; its rights are judged anew here. */
export function identifyAgain(dependencies: IdentifyDependencies, request: QueryRequest): Caller | undefined {
  const { organization: slug, subject, actor, scopes } = request;
  const organization = dependencies.directory.find(slug);
  if (organization === undefined) return undefined;
  if (subject === undefined) return new SuperAdministrator(organization);
  return new SubjectCaller(organization, { subject, actor, scopes }, dependencies, () => true);
}
