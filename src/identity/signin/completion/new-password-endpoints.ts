import { z } from 'zod';
import { areCurrent, endAllOf } from '../../../directory/epochs/index.ts';
import { getUser } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import { changeOwnPassword } from '../../../directory/users/index.ts';
import { type Endpoint, ProblemError } from '../../../http/index.ts';
import { existing } from '../../../kernel/transactions/index.ts';
import type { FormFault } from '../../pages/index.ts';
import { type VisitorVisit, visitorEndpoint } from '../browser/visitor-endpoint.ts';
import { type FlowEntry, flowRecords, ownFlow, type Proven } from '../flow/flow-record.ts';
import { strengthCheck } from '../new-password/strength.ts';
import {
  faultsOf,
  flowId,
  flowQuery,
  passwordText,
  requireFlow,
  type SignInPageDependencies,
} from '../pages-dependencies.ts';
import { lost } from '../problems.ts';
import { emptyPassword, newPasswordPage } from '../recovery/password-form.tsx';
import { epochsOf } from '../sign-in.ts';
import { requireDue } from './require-due.ts';

type Visit = VisitorVisit<unknown, unknown>;

const form = z.object({ flow: flowId, password: passwordText });
const path = '/signin/new-password';

/** `{issuer}/signin/new-password`: on the way to a session, for whoever must have another password. */
export function newPasswordEndpoints(pages: SignInPageDependencies): Endpoint[] {
  const { dependencies } = pages;
  return [
    visitorEndpoint(dependencies, {
      method: 'GET',
      path: `/orgs/{orgId}${path}`,
      summary: 'Choose a new password',
      query: flowQuery,
      handler: (visit) => askPage(pages, visit, requireFlow(pages, visit, visit.query.flow), []),
    }),
    visitorEndpoint(dependencies, {
      method: 'POST',
      path: `/orgs/{orgId}${path}`,
      summary: 'Set the new password',
      body: form,
      handler: (visit) => change(pages, visit, requireFlow(pages, visit, visit.body.flow), visit.body.password),
    }),
  ];
}

function askPage(pages: SignInPageDependencies, visit: Visit, flow: FlowEntry, faults: readonly FormFault[]) {
  const { store } = visit.organization;
  const { user, policy } = pages.dependencies.engine.read(() => {
    const { userId } = requireDue(pages, visit, flow, path);
    return { user: existing(getUser(store, userId)).document, policy: readSettings(store).passwordPolicy };
  });
  return newPasswordPage(visit, {
    title: visit.t('signUp.newPasswordTitle'),
    reason: visit.t('signUp.newPasswordReason'),
    action: path,
    hidden: { flow: flow.id },
    account: user.email,
    policy,
    strength: strengthCheck(pages.dependencies.sealer, visit, user),
    leadsTo: flow.document.leadsTo,
    faults,
  });
}

async function change(pages: SignInPageDependencies, visit: Visit, flow: FlowEntry, password: string) {
  const { dependencies, signIn } = pages;
  const { organization, visitor, facts } = visit;
  const { store } = organization;
  const { userId } = dependencies.engine.read(() => requireDue(pages, visit, flow, path));
  const empty = emptyPassword(visit.t, password);
  if (empty.length > 0) return askPage(pages, visit, flow, empty);
  // what was proved outlives this end of everything, and no other one
  const ends = (now: number) => {
    const current = ownFlow(store, visitor.browser, flow.id, now);
    const proven = current?.document.proven;
    if (current === undefined || proven?.userId !== userId || !areCurrent(store, proven.epochs)) throw lost();
    const own = `sessions:${userId}` as const;
    const epochs = epochsOf(store, userId);
    const next: Proven = { ...proven, epochs: { ...epochs, [own]: (epochs[own] ?? 0) + 1 } };
    return {
      changes: [...endAllOf(store, userId), flowRecords.put(store, current.id, { ...current.document, proven: next })],
      preconditions: [flowRecords.same(store, current)],
    };
  };
  try {
    await changeOwnPassword(dependencies, organization, facts, { userId, password, ends });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return askPage(pages, visit, flow, faultsOf(visit.t, error, ['password']));
  }
  return signIn.resume(organization, visitor, requireFlow(pages, visit, flow.id), facts);
}
