import { areCurrent, stillCurrent } from '../../../directory/epochs/index.ts';
import { getUser, type UserEntry } from '../../../directory/records/index.ts';
import type { Reply } from '../../../http/index.ts';
import { type Demand, demandOf, type Whose } from '../../mfa/index.ts';
import type { VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { FlowEntry } from '../flow-record.ts';
import type { SignInPageDependencies } from '../pages-dependencies.ts';
import { lost } from '../problems.ts';
import { isFactorDemanded } from '../steps.ts';

/** A sign-in whose first factor has been proved. */
export interface OnTheWay {
  readonly flow: FlowEntry;
  readonly user: UserEntry;
  readonly whose: Whose;
  readonly demand: Demand;
  /** Whether a factor is demanded by what the sign-in is for. */
  readonly isDemanded: boolean;
}

/**
 * The sign-in that this browser is on, as long as its first proof holds: with a password that was changed meanwhile,
 * nobody registers a factor.
 * @throws ProblemError 404
 */
export function onTheWay(
  { engine, clock, signIn }: SignInPageDependencies,
  { organization, visitor }: Pick<VisitorVisit, 'organization' | 'visitor'>,
  flowId: string,
): OnTheWay {
  const flow = signIn.flow(organization, visitor, flowId);
  const proven = flow?.document.proven;
  if (flow === undefined || proven === undefined) throw lost();
  const { store } = organization;
  return engine.read(() => {
    const user = getUser(store, proven.userId);
    if (user === undefined || !areCurrent(store, proven.epochs)) throw lost();
    const whose = { organization, userId: user.id, binding: flow.id, rests: stillCurrent(store, proven.epochs) };
    const demand = demandOf(store, user, clock.now(), proven.mfa);
    return { flow, user, whose, demand, isDemanded: isFactorDemanded(flow, proven) };
  });
}

/** Goes on where the sign-in stands, where this page is not what it asks for. */
export function resumed(
  { signIn }: SignInPageDependencies,
  visit: VisitorVisit,
  { flow }: OnTheWay,
): Promise<Reply<never>> {
  return signIn.resume(visit, flow);
}
