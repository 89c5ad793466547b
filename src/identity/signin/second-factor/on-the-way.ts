import { z } from 'zod';
import { areCurrent, stillCurrent } from '../../../directory/epochs/index.ts';
import { getUser, type UserEntry } from '../../../directory/records/index.ts';
import type { Reply } from '../../../http/index.ts';
import { type Demand, demandOf, type Whose } from '../../mfa/index.ts';
import type { Visitor } from '../browser/visitor.ts';
import type { VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { FlowEntry, Proven } from '../flow/flow-record.ts';
import type { SignInPageDependencies } from '../pages-dependencies.ts';
import { lost } from '../problems.ts';

/** As forms and addresses name a sign-in. */
export const flowId = z.string().max(64);

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
  { dependencies, signIn }: SignInPageDependencies,
  { organization, visitor }: { readonly organization: Whose['organization']; readonly visitor: Visitor },
  flowId: string,
): OnTheWay {
  const flow = signIn.flow(organization, visitor, flowId);
  const proven = flow?.document.proven;
  if (flow === undefined || proven === undefined) throw lost();
  const { store } = organization;
  return dependencies.engine.read(() => {
    const user = getUser(store, proven.userId);
    if (user === undefined || !areCurrent(store, proven.epochs)) throw lost();
    const whose = { organization, userId: user.id, binding: flow.id, rests: stillCurrent(store, proven.epochs) };
    const demand = demandOf(store, user, dependencies.clock.now(), proven.mfa);
    return { flow, user, whose, demand, isDemanded: isDemanded(flow, proven) };
  });
}

/** Goes on where the sign-in stands, where this page is not what it asks for. */
export function resumed(
  { signIn }: SignInPageDependencies,
  { organization, visitor, facts }: VisitorVisit<unknown, unknown>,
  { flow }: OnTheWay,
): Promise<Reply<never>> {
  return signIn.resume(organization, visitor, flow, facts);
}

function isDemanded(flow: FlowEntry, proven: Proven): boolean {
  return flow.document.mfa === true && !proven.mfa;
}
