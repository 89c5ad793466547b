import type { Decision } from '#engine';
import { neverLent } from '../../../directory/elevations/index.ts';
import { findPermission } from '../../../directory/records/index.ts';
import { type Caller, slugPattern } from '../../../kernel/organizations/index.ts';
import { invalid } from '../../../kernel/transactions/index.ts';
import { askedSubject, decidePermission, decideRelation, oneOf } from '../../decisions/index.ts';
import { approvalSchema, type Evaluated, type Evaluation } from '../bodies.ts';
import type { AuthZenDependencies } from '../dependencies.ts';
import {
  type Approval,
  agentOf,
  approvalOf,
  askingAgentOf,
  denialWith,
  type ReadStates,
  readApproval,
  type SentApproval,
} from './approval.ts';

/** An answer, and whether what it denies can be asked for by the agent that asks. */
export interface Outcome {
  readonly evaluated: Evaluated;
  readonly requestable?: Requestable;
}

interface Requestable {
  readonly agentId: string;
  readonly evaluation: Evaluation;
}

/**
 * One evaluation: the permission `type:action` on the resource, with `can_<action>` where the model has it, or the
 * relation that is named like the action. To be called inside `Engine.read`.
 * @param states of the approvals that come with it, and maybe with others
 * @throws ProblemError 403 where the caller may not ask about the subject, or supply context
 */
export function evaluate(
  dependencies: AuthZenDependencies,
  caller: Caller,
  evaluation: Evaluation,
  states: ReadStates,
): Outcome {
  const now = dependencies.clock.now();
  const { approval: sent, item } = itemOf(evaluation);
  const subject = askedSubject(caller, item);
  const own = decideItem(dependencies, caller, item, { subject, now });
  if (own.outcome === 'allowed') return { evaluated: { decision: true } };
  const denied: NonNullable<Evaluated['context']> =
    own.outcome === 'conditional' ? { reason: 'missing_context', missing: [...own.missing] } : { reason: 'denied' };
  const agentId = requester(caller, subject, item);
  const requestable = agentId === undefined ? undefined : { agentId, evaluation };
  if (sent === undefined) return denial(denied, own.outcome === 'denied' ? requestable : undefined);
  const approval = readApproval(caller, agentOf(caller, subject), sent, states, now);
  const told = withApproval(dependencies, approval, item, now);
  if (told.decision) return { evaluated: told };
  return denial(told.context ?? denied, told.context?.next_action === 'request' ? requestable : undefined);
}

function denial(context: NonNullable<Evaluated['context']>, requestable: Requestable | undefined): Outcome {
  // without a way to ask again, there is nothing to do next
  const { next_action, ...rest } = context;
  const next = next_action === 'request' && requestable === undefined ? 'none' : next_action;
  const evaluated = { decision: false, context: { ...rest, ...(next === undefined ? {} : { next_action: next }) } };
  return requestable === undefined ? { evaluated } : { evaluated, requestable };
}

function withApproval(dependencies: AuthZenDependencies, approval: Approval, item: Item, now: number): Evaluated {
  if (approval.state !== 'good') return { decision: false, context: denialWith(approval, false) };
  const { caller, task } = approval;
  const subject = caller.subject ?? '';
  if (decideItem(dependencies, caller, item, { subject, now }).outcome === 'allowed') {
    return { decision: true, context: { approval: approvalOf(task) } };
  }
  const { grant } = task.document;
  const object = `${item.resource.type}:${item.resource.id}`;
  const covers = grant?.scopes.includes(item.permission) === true && grant.resources?.includes(object) !== false;
  return { decision: false, context: denialWith(approval, covers) };
}

/** The agent that may ask for what it was denied: only for a permission that exists and can be lent. */
function requester(caller: Caller, subject: string, { permission }: Item): string | undefined {
  const { organization, agency } = caller;
  if (agency?.kind === 'elevation' || neverLent.has(permission)) return undefined;
  const agentId = askingAgentOf(caller, subject);
  return agentId === undefined || findPermission(organization.store, permission) === undefined ? undefined : agentId;
}

interface Item {
  readonly permission: string;
  readonly relation: string;
  readonly resource: { readonly type: string; readonly id: string };
  readonly subject: string;
  readonly context?: Readonly<Record<string, unknown>>;
}

function decideItem(
  dependencies: AuthZenDependencies,
  caller: Caller,
  { permission, relation, resource, context }: Item,
  { subject, now }: { readonly subject: string; readonly now: number },
): Decision {
  const { store } = caller.organization;
  const given = context === undefined ? {} : { context };
  const byPermission = (): Decision =>
    slugPattern.test(permission)
      ? decidePermission(dependencies, caller, { resource, ...given }, { subject, permission, now }).decision
      : { outcome: 'denied' };
  if (!dependencies.relations.has(store, resource.type, relation)) return byPermission();
  const object = `${resource.type}:${resource.id}`;
  const byRelation = (): Decision =>
    decideRelation(dependencies, caller, { object, relation, subject, ...given }, now).decision;
  return oneOf(byPermission, byRelation);
}

/** As the checks of this service take it: properties are the attributes that conditions see. */
function itemOf({ subject, action, resource, context: sent = {} }: Evaluation): {
  readonly approval: SentApproval | undefined;
  readonly item: Item;
} {
  const { approval, ...rest } = sent;
  const context = {
    ...rest,
    ...(subject.properties === undefined ? {} : { subject: subject.properties }),
    ...(resource.properties === undefined ? {} : { resource: resource.properties }),
    ...(action.properties === undefined ? {} : { action: action.properties }),
  };
  const item: Item = {
    permission: `${resource.type}:${action.name}`,
    relation: action.name,
    resource: { type: resource.type, id: resource.id },
    subject: `${subject.type}:${subject.id}`,
    ...(Object.keys(context).length === 0 ? {} : { context }),
  };
  return { approval: approval === undefined ? undefined : sentApproval(approval), item };
}

/** @throws ProblemError 400 */
function sentApproval(approval: unknown): SentApproval {
  const read = approvalSchema.safeParse(approval);
  if (read.success) return read.data;
  throw invalid('context.approval', 'must have the id of an approval');
}
