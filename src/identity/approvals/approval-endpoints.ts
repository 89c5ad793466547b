import { z } from 'zod';
import { approveTask, askedProof, denyTask, taskProblems } from '../../directory/elevations/index.ts';
import { type Endpoint, ProblemError, type Reply, redirect } from '../../http/index.ts';
import type { Texts } from '../../texts/index.ts';
import { type AccountDependencies, type AccountVisit, accountEndpoint, FRESH_MS } from '../account/index.ts';
import { refusalText } from '../pages/index.ts';
import { askingPage } from './asking-page.tsx';
import { lostPage } from './lost-page.tsx';
import { type ApprovalRequest, newSince, requestFor } from './request.ts';
import { settledPage } from './settled-page.tsx';
import { type Decision, decisionBody, FIELDS_MAX, type Wish, wishOf } from './wish.ts';

const path = '/orgs/{orgId}/approvals/{taskId}';

/** The page at which a person lends an agent what it asks for, or does not. */
export function approvalEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path,
      summary: 'What an agent asks for',
      query: z.object({ asked: z.string().max(128).default('') }),
      handler: (visit) =>
        requestPage(dependencies, visit, requestFor(dependencies, visit, taskOf(visit), visit.query.asked)),
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path,
      summary: 'Approves or denies what an agent asks for',
      body: decisionBody,
      fieldsMax: FIELDS_MAX,
      handler: (visit) => decide(dependencies, visit),
    }),
  ];
}

function taskOf({ params }: Pick<AccountVisit, 'params'>): string {
  return params.taskId ?? '';
}

function pathOf(visit: Pick<AccountVisit, 'params' | 'base'>): string {
  return `${visit.base}/approvals/${encodeURIComponent(taskOf(visit))}`;
}

interface Answered {
  readonly sent?: Decision;
  readonly faults?: Extract<Wish, { faults: unknown }>['faults'];
  readonly hasChanged?: boolean;
  readonly isLate?: boolean;
}

/** As it stands now, whatever was shown before. */
function requestPage(
  dependencies: AccountDependencies,
  visit: AccountVisit,
  request: ApprovalRequest | undefined,
  { sent, faults, hasChanged = false, isLate = false }: Answered = {},
): Reply<never> {
  if (request === undefined) return lostPage(visit);
  if (!request.isOpen || isLate) return settledPage(visit, { request, isLate });
  return askingPage(visit, {
    request,
    action: pathOf(visit),
    asked: askedProof(dependencies.sealer, visit.organization, request.view.id, visit.user.id),
    mustProve: mustProve(dependencies, visit, request),
    sent,
    faults,
    news: hasChanged ? newSince(request.view, sent?.seen ?? '') : undefined,
  });
}

/** A second factor that was proved a while ago could be somebody else's who finds the browser open. */
function mustProve(
  { clock }: AccountDependencies,
  { session }: Pick<AccountVisit, 'session'>,
  { needsProof }: ApprovalRequest,
): boolean {
  const { mfaVerified, authTime } = session.document;
  return needsProof && !(mfaVerified && clock.now() - authTime <= FRESH_MS);
}

async function decide(
  dependencies: AccountDependencies,
  visit: AccountVisit<unknown, Decision>,
): Promise<Reply<never>> {
  const { organization, user, visitor, body, facts, t } = visit;
  const request = requestFor(dependencies, visit, taskOf(visit), body.asked);
  if (request === undefined) return lostPage(visit);
  if (body.decision !== 'deny' && request.isOpen && mustProve(dependencies, visit, request)) {
    const loginHint = user.document.email;
    const wanted = { returnTo: pathOf(visit), fresh: true, mfa: true, loginHint };
    return dependencies.signIn.begin(organization, visitor, wanted);
  }
  try {
    const { digest } = body;
    if (body.decision === 'deny') {
      const reason = body.reason.trim() || undefined;
      await denyTask(dependencies, organization, user.id, facts, request.view.id, { digest, reason });
    } else if (body.decision === 'approve' && request.view.digest === digest) {
      const wish = wishOf(t, request.view, body);
      if ('faults' in wish) return requestPage(dependencies, visit, request, { sent: body, faults: wish.faults });
      await approveTask(dependencies, organization, user.id, facts, request.view.id, { digest, ...wish });
    } else if (body.decision === 'approve') {
      // indexes in another list say nothing
      return requestPage(dependencies, visit, request, { sent: body, hasChanged: true, isLate: !request.isOpen });
    }
    return redirect(303, pathOf(visit));
  } catch (error) {
    const now = requestFor(dependencies, visit, taskOf(visit), body.asked);
    return requestPage(dependencies, visit, now, notDone(t, error, body));
  }
}

const shown = new Set(['refused', 'forbidden', 'invalid_request']);

/** @throws whatever is no refusal */
function notDone(t: Texts, error: unknown, sent: Decision): Answered {
  if (!(error instanceof ProblemError)) throw error;
  const { kind } = error.problem;
  if (kind === taskProblems.task_changed) return { sent, hasChanged: true };
  if (kind === taskProblems.task_settled) return { isLate: true };
  if (!shown.has(kind.code)) throw error;
  return { sent, faults: [{ field: '', message: refusalText(t, error.problem) }] };
}
