import { z } from 'zod';
import { areCurrent, endAllOf } from '../../../directory/epochs/index.ts';
import { getUser } from '../../../directory/records/index.ts';
import { changeOwnPassword } from '../../../directory/users/index.ts';
import type { Endpoint } from '../../../http/index.ts';
import { existing } from '../../../kernel/transactions/index.ts';
import type { FormFault } from '../../pages/index.ts';
import { formPage, type VisitorVisit } from '../browser/visitor-endpoint.ts';
import { type FlowEntry, flowRecords, ownFlow, type Proven } from '../flow-record.ts';
import { newPasswordPage, setPassword } from '../new-password/new-password-page.tsx';
import {
  flowId,
  flowQuery,
  passwordText,
  requireDue,
  requireFlow,
  type SignInPageDependencies,
} from '../pages-dependencies.ts';
import { lost } from '../problems.ts';
import { epochsOf } from '../sign-in.ts';

const path = '/signin/new-password';

/** `{issuer}/signin/new-password`: on the way to a session, for whoever must have another password. */
export function newPasswordEndpoints(pages: SignInPageDependencies): Endpoint[] {
  return formPage(pages, path, {
    show: {
      summary: 'Choose a new password',
      query: flowQuery,
      handler: (visit) => askPage(pages, visit, requireFlow(pages, visit, visit.query.flow), []),
    },
    send: {
      summary: 'Set the new password',
      body: z.object({ flow: flowId, password: passwordText }),
      handler: (visit) => change(pages, visit, requireFlow(pages, visit, visit.body.flow), visit.body.password),
    },
  });
}

function askPage(pages: SignInPageDependencies, visit: VisitorVisit, flow: FlowEntry, faults: readonly FormFault[]) {
  const user = pages.engine.read(() => {
    const { userId } = requireDue(pages, visit, flow, path);
    return existing(getUser(visit.organization.store, userId)).document;
  });
  return newPasswordPage(pages, visit, {
    title: 'signUp.newPasswordTitle',
    reason: 'signUp.newPasswordReason',
    action: path,
    hidden: { flow: flow.id },
    user,
    isNamed: true,
    leadsTo: flow.document.leadsTo,
    faults,
  });
}

function change(pages: SignInPageDependencies, visit: VisitorVisit, flow: FlowEntry, password: string) {
  const { organization, visitor, facts } = visit;
  const { store } = organization;
  const { userId } = pages.engine.read(() => requireDue(pages, visit, flow, path));
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
  return setPassword(visit, password, {
    again: (faults) => askPage(pages, visit, flow, faults),
    set: () => changeOwnPassword(pages, organization, facts, { userId, password, ends }),
    done: () => pages.signIn.resume(visit, requireFlow(pages, visit, flow.id)),
  });
}
