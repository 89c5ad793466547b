import { z } from 'zod';
import { ProblemError, type Reply } from '../../http/index.ts';
import type { Texts } from '../../texts/index.ts';
import type { FormFault } from '../pages/index.ts';
import type { VisitorVisit } from './browser/visitor-endpoint.ts';
import type { SignInDependencies } from './dependencies.ts';
import type { FlowEntry, Proven, Purpose } from './flow-record.ts';
import { lost } from './problems.ts';
import type { SignIn } from './sign-in.ts';

/** What the pages of sign-in work with. */
export interface SignInPageDependencies extends SignInDependencies {
  readonly signIn: SignIn;
}

export const flowId = z.string().max(64);
/** Of a page in the middle of a sign-in. Without one the sign-in is over, which the page says better than a fault does. */
export const flowQuery = z.object({ flow: flowId.default('') });
/** Of a page at which a sign-in may begin. */
export const flowQueryOrNone = z.object({ flow: flowId.optional() });
/** Of a mailed link. One that was cut off is a link that does not work. */
export const tokenText = z.string().max(128).default('');
export const tokenQuery = z.object({ token: tokenText });
/** As long as whatever sets one admits it. */
export const passwordText = z.string().max(256);

/** @throws ProblemError where it is over, or of another browser */
export function requireFlow(
  { signIn }: SignInPageDependencies,
  { organization, visitor }: Pick<VisitorVisit, 'organization' | 'visitor'>,
  id: string,
): FlowEntry {
  const flow = signIn.flow(organization, visitor, id);
  if (flow === undefined) throw lost(visitor.isKnown);
  return flow;
}

/**
 * What was proved in a flow that stands at this page now: a step cannot be taken before its turn. To be called inside
 * `Engine.read`.
 * @throws ProblemError 404
 */
export function requireDue(
  { signIn }: SignInPageDependencies,
  { organization }: Pick<VisitorVisit, 'organization'>,
  flow: FlowEntry,
  path: string,
): Proven {
  const { proven } = flow.document;
  if (proven === undefined || signIn.due(organization, flow)?.path !== path) throw lost();
  return proven;
}

/** For who comes to a page of sign-in by itself: it leads to the account. */
export function beginAt(
  { signIn }: SignInPageDependencies,
  { organization, visitor, base }: Pick<VisitorVisit, 'organization' | 'visitor' | 'base'>,
  screen: Purpose['screen'],
): Promise<Reply<never>> {
  return signIn.begin(organization, visitor, { returnTo: `${base}/account`, screen });
}

/** What a service has against one of these fields of a form; whatever else went wrong is thrown on. */
export function faultsOf(t: Texts, error: unknown, fields: readonly string[]): FormFault[] {
  if (!(error instanceof ProblemError)) throw error;
  const { kind, options } = error.problem;
  const faults = (options.errors ?? []).filter(({ path }) => fields.includes(path));
  if (faults.length === 0 || kind.status >= 500) throw error;
  return faults.map(({ path, message, said }) => {
    // words for programs are in English alone
    const otherwise = t.language === 'en' ? message : t('refusals.general');
    return { field: path, message: said === undefined ? otherwise : t.said(said) };
  });
}
