import type { VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { FlowEntry, Proven } from '../flow/flow-record.ts';
import type { SignInPageDependencies } from '../pages-dependencies.ts';
import { lost } from '../problems.ts';

/**
 * What was proved in a flow that stands at this page now: a step cannot be taken before its turn. To be called inside
 * `Engine.read`.
 * @throws ProblemError 404
 */
export function requireDue(
  { signIn }: SignInPageDependencies,
  { organization }: Pick<VisitorVisit<unknown, unknown>, 'organization'>,
  flow: FlowEntry,
  path: string,
): Proven {
  const { proven } = flow.document;
  if (proven === undefined || signIn.due(organization, flow)?.path !== path) throw lost();
  return proven;
}
