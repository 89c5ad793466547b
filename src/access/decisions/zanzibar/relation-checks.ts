import { performance } from 'node:perf_hooks';
import { type CheckRequest, type Context, parseTuple } from '#engine';
import type { Reply } from '../../../http/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { forbidden } from '../../../kernel/transactions/index.ts';
import { ask, explainAny } from '../checks/ask.ts';
import { answerBulk, type BulkAnswer } from '../checks/bulk.ts';
import type { BulkBody } from '../checks/bulk-body.ts';
import { type DecisionAnswer, decisionReply, outcomeFields } from '../checks/decision-reply.ts';
import { readItem } from '../checks/item-error.ts';
import { requireFresh } from '../context/consistency.ts';
import { checkedSubject, questionContext, questionTuples } from '../context/supplied.ts';
import type { AuthzDependencies } from '../dependencies.ts';
import { decideParties } from '../parties/decide-parties.ts';
import type { Answer } from '../parties/parties.ts';
import { aboutRelation } from '../parties/reach.ts';
import { fastRelationCheck, type RelationCheckBody, type RelationCheckItem, relationCheckItem } from './bodies.ts';

/** `POST /zanzibar/check`: answered in the turn of the request, from one snapshot. */
export function checkRelation(
  dependencies: AuthzDependencies,
  caller: Caller,
  body: RelationCheckBody,
): Reply<DecisionAnswer> {
  const startedAt = performance.now();
  const reply = dependencies.engine.read(() => {
    const revision = dependencies.engine.revision();
    requireFresh(dependencies.tokens, body.consistency, revision);
    if (body.explain && !caller.may('tuples.read')) throw forbidden('An explanation needs tuples.read.');
    const now = dependencies.clock.now();
    const request = requestFor(dependencies, caller, body, now);
    const token = dependencies.tokens.of(revision);
    // nearly every question: nothing is made for an explanation that nobody wants
    if (caller.actor === undefined && !body.explain)
      return decisionReply(ask(caller.organization.store, request, now), token);
    const { decision, explain } = decide(caller, request, now);
    return decisionReply(decision, token, body.explain ? explain() : undefined);
  });
  dependencies.meter.record('check', startedAt, 1);
  return reply;
}

/** `POST /zanzibar/check-bulk`: each by itself, all in one snapshot. */
export function checkRelations(dependencies: AuthzDependencies, caller: Caller, body: BulkBody): Reply<BulkAnswer> {
  return answerBulk(dependencies, caller, body, (check, bulk, now) => {
    const fast = fastRelationCheck(check);
    const read = fast === undefined ? readItem(relationCheckItem, asItem(check)) : { item: fast };
    if ('failure' in read) return bulk.settle(read.failure);
    const request = requestFor(dependencies, caller, read.item, now);
    if (caller.actor === undefined || request.subject !== caller.subject) return bulk.ask(request);
    bulk.settle(outcomeFields(decide(caller, request, now).decision));
  });
}

/** With all whose rights count where somebody acts for the caller. */
function decide(caller: Caller, request: RelationRequest, now: number): Answer {
  const { store } = caller.organization;
  const answer = (asked: RelationRequest): Answer => {
    const decision = ask(store, asked, now);
    return { decision, explain: () => explainAny(store, [asked], decision, now) };
  };
  if (caller.actor === undefined) return answer(request);
  const { contextualTuples: _, ...stored } = request;
  return decideParties({
    caller,
    subject: request.subject,
    about: caller.agency === undefined ? nothing : aboutRelation(request.object, request.relation),
    now,
    context: request.context,
    ask: (subject) => answer({ ...request, subject }),
    askStored: (subject) => answer({ ...stored, subject }),
  });
}

/** What matters to an agency alone. */
const nothing = { permission: undefined, object: undefined };

type RelationRequest = CheckRequest & { readonly context: Context };

/**
 * One question about a relation, as `POST /zanzibar/check` decides it. To be called inside `Engine.read`; who may ask
 * about the subject is judged before.
 */
export function decideRelation(
  { limits }: AuthzDependencies,
  caller: Caller,
  { context, ...asked }: RelationCheckItem & { readonly subject: string },
  now: number,
): Answer {
  const { object, relation, subject } = asked;
  return decide(caller, { object, relation, subject, context: questionContext(context, now, limits), now }, now);
}

/** An item may be the text `object#relation@subject`. */
function asItem(check: unknown): unknown {
  return typeof check === 'string' ? parseTuple(check) : check;
}

function requestFor(
  dependencies: AuthzDependencies,
  caller: Caller,
  item: RelationCheckItem,
  now: number,
): RelationRequest {
  const subject = checkedSubject(caller, item);
  const context = questionContext(item.context, now, dependencies.limits);
  const { object, relation } = item;
  if (item.contextualTuples === undefined) return { object, relation, subject, context, now };
  const contextualTuples = questionTuples(item.contextualTuples, dependencies) ?? [];
  return { object, relation, subject, context, now, contextualTuples };
}
