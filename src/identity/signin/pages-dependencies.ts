import { z } from 'zod';
import type { ProblemError, Reply } from '../../http/index.ts';
import type { Texts } from '../../texts/index.ts';
import type { FormFault } from '../pages/index.ts';
import type { VisitorVisit } from './browser/visitor-endpoint.ts';
import type { SignInDependencies } from './dependencies.ts';
import type { FlowEntry, Purpose } from './flow/flow-record.ts';
import { lost } from './problems.ts';
import type { SignIn } from './sign-in.ts';

/** What the pages of sign-in work with. */
export interface SignInPageDependencies {
  readonly dependencies: SignInDependencies;
  readonly signIn: SignIn;
}

export const flowId = z.string().max(64);
/** Of a page in the middle of a sign-in. Without one the sign-in is over, which the page says better than a fault does. */
export const flowQuery = z.object({ flow: flowId.default('') });
/** Of a page at which a sign-in may begin. */
export const flowQueryOrNone = z.object({ flow: flowId.optional() });
/** Of a mailed link. One that was cut off is a link that does not work. */
export const tokenText = z.string().max(128).default('');
/** As long as whatever sets one admits it. */
export const passwordText = z.string().max(256);

/** @throws ProblemError where it is over, or of another browser */
export function requireFlow(
  { signIn }: SignInPageDependencies,
  { organization, visitor }: Pick<VisitorVisit<unknown, unknown>, 'organization' | 'visitor'>,
  id: string,
): FlowEntry {
  const flow = signIn.flow(organization, visitor, id);
  if (flow === undefined) throw lost(visitor.isKnown);
  return flow;
}

/** For who comes to a page of sign-in by itself: it leads to the account. */
export function beginAt(
  { signIn }: SignInPageDependencies,
  { organization, visitor, base }: Pick<VisitorVisit<unknown, unknown>, 'organization' | 'visitor' | 'base'>,
  screen: Purpose['screen'],
): Promise<Reply<never>> {
  return signIn.begin(organization, visitor, { returnTo: `${base}/account`, screen });
}

/** What a service has against one of these fields of a form; whatever else went wrong is thrown on. */
export function faultsOf(t: Texts, error: ProblemError, fields: readonly string[]): FormFault[] {
  const { kind, options } = error.problem;
  const faults = (options.errors ?? []).filter(({ path }) => fields.includes(path));
  if (faults.length === 0 || kind.status >= 500) throw error;
  return faults.map(({ path, message, said }) => {
    // words for programs are in English alone
    const otherwise = t.language === 'en' ? message : t('refusals.general');
    return { field: path, message: said === undefined ? otherwise : t.said(said) };
  });
}
