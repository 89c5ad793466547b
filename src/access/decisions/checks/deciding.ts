import { performance } from 'node:perf_hooks';
import type { Decision, Store } from '#engine';
import { slugAsked } from '../../../directory/records/index.ts';
import type { Reply } from '../../../http/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { forbidden } from '../../../kernel/transactions/index.ts';
import { suppliesAttributes, withAttributes } from '../context/attributes.ts';
import { requireFresh } from '../context/consistency.ts';
import { checkedSubject, questionContext } from '../context/supplied.ts';
import type { AuthzDependencies } from '../dependencies.ts';
import { decideParties } from '../parties/decide-parties.ts';
import type { Answer } from '../parties/parties.ts';
import { aboutPermission } from '../parties/reach.ts';
import { askAny, explainAny } from './ask.ts';
import { type CheckBody, type CheckItem, checkItem, fastCheckBody, type ManyBody } from './bodies.ts';
import { answerBulk, type BulkAnswer } from './bulk.ts';
import type { BulkBody } from './bulk-body.ts';
import { type DecisionAnswer, decisionReply, outcomeFields } from './decision-reply.ts';
import { itemFailure, readItem } from './item-error.ts';
import { namesOfPermission } from './permission/permission-names.ts';
import { type PermissionRequest, permissionRequests, withStored } from './permission/permission-question.ts';
import { unknownPermission } from './unknown-permission.ts';

/** `POST /authz/check`: answered in the turn of the request, from one snapshot. */
export function checkPermission(
  dependencies: AuthzDependencies,
  caller: Caller,
  body: CheckBody,
): Reply<DecisionAnswer> {
  const startedAt = performance.now();
  const reply = dependencies.engine.read(() => {
    const revision = dependencies.engine.revision();
    requireFresh(dependencies.tokens, body.consistency, revision);
    if (body.explain && !caller.may('tuples.read')) throw forbidden('An explanation needs tuples.read.');
    const now = dependencies.clock.now();
    const { strict } = body;
    const permission = slugOf(caller, body);
    const subject = checkedSubject(caller, body);
    if (strict === true) requireDefined(dependencies, caller, permission, revision);
    const asked = { subject, permission, now };
    // nearly every question: nothing is made for an explanation that nobody wants
    const answer: { readonly decision: Decision; readonly explain?: Answer['explain'] } =
      caller.actor === undefined && !body.explain
        ? settle(dependencies, caller, body, asked)
        : decidePermission(dependencies, caller, body, asked);
    const { decision } = answer;
    const unknown = isUnknown(dependencies, caller, decision, permission, revision) || undefined;
    const explanation = body.explain ? answer.explain?.() : undefined;
    return decisionReply(decision, dependencies.tokens.of(revision), explanation, unknown);
  });
  dependencies.meter.record('check', startedAt, 1);
  return reply;
}

/** Of the permission that a question names. */
function slugOf({ organization }: Caller, { permission }: Pick<CheckItem, 'permission'>): string {
  return namesOfPermission(slugAsked(organization.store, permission)).slug;
}

/** `POST /authz/check-bulk`: each by itself, all in one snapshot. */
export function checkPermissions(dependencies: AuthzDependencies, caller: Caller, body: BulkBody): Reply<BulkAnswer> {
  return answerBulk(dependencies, caller, body, (check, bulk, now) => {
    const fast = fastCheckBody(check);
    const read = fast === undefined ? readItem(checkItem, check) : { item: fast };
    if ('failure' in read) return bulk.settle(read.failure);
    const { strict } = read.item;
    const { store } = caller.organization;
    const permission = slugOf(caller, read.item);
    const revision = dependencies.engine.revision();
    const subject = checkedSubject(caller, read.item);
    if (strict === true) requireDefined(dependencies, caller, permission, revision);
    const asked = { subject, permission, now };
    const isDefined = dependencies.defined.has(store, permission, revision);
    if (!isDefined || (caller.actor !== undefined && subject === caller.subject)) {
      const { decision } = decidePermission(dependencies, caller, read.item, asked);
      const unknown = decision.outcome === 'denied' && !isDefined ? ({ unknown: true } as const) : {};
      return bulk.settle({ ...outcomeFields(decision), ...unknown });
    }
    const requests = requestsFor(dependencies, caller, read.item, asked);
    const [first = requests[0], second] = openRequests(dependencies, store, permission, requests, revision);
    bulk.ask(first, second, () => withStored(store, requests));
  });
}

/**
 * Which of several permissions are held, as they were asked about; of those that are lacking, which are unknown. One that
 * fails with a named error fails the whole only where the others do not settle it: `settledBy` says which kind does.
 */
export function sortPermissions(
  dependencies: AuthzDependencies,
  caller: Caller,
  body: ManyBody,
  settledBy: 'held' | 'lacking',
) {
  const startedAt = performance.now();
  const outcome = dependencies.engine.read(() => {
    const revision = dependencies.engine.revision();
    requireFresh(dependencies.tokens, body.consistency, revision);
    const now = dependencies.clock.now();
    const found: { held: string[]; lacking: string[] } = { held: [], lacking: [] };
    const missing = new Set<string>();
    const unknown: string[] = [];
    const subject = checkedSubject(caller, body);
    let failure: unknown;
    for (const named of new Set(body.permissions)) {
      const permission = slugAsked(caller.organization.store, named);
      if (body.strict === true) {
        requireDefined(dependencies, caller, permission, revision, `permissions[${body.permissions.indexOf(named)}]`);
      }
      try {
        const { decision } = decidePermission(dependencies, caller, body, { subject, permission, now });
        found[decision.outcome === 'allowed' ? 'held' : 'lacking'].push(String(named));
        if (decision.outcome === 'conditional') for (const name of decision.missing) missing.add(name);
        if (isUnknown(dependencies, caller, decision, permission, revision)) unknown.push(String(named));
      } catch (error) {
        itemFailure(error);
        failure ??= error;
      }
    }
    if (failure !== undefined && found[settledBy].length === 0) throw failure;
    return { ...found, missing: [...missing].sort(), unknown, revision: dependencies.tokens.of(revision) };
  });
  dependencies.meter.record('bulk', startedAt, body.permissions.length);
  return outcome;
}

/** A denial may be one of a permission that nobody has defined: a slip of the pen, as a rule. */
function isUnknown(
  { defined }: AuthzDependencies,
  { organization }: Caller,
  { outcome }: Decision,
  permission: string,
  revision: number,
): boolean {
  return outcome === 'denied' && !defined.has(organization.store, permission, revision);
}

/** @throws ProblemError `unknown_permission` */
function requireDefined(
  { defined }: AuthzDependencies,
  { organization }: Caller,
  permission: string,
  revision: number,
  path?: string,
): void {
  if (!defined.has(organization.store, permission, revision)) throw unknownPermission(permission, path);
}

/** Those of the two that are not answered already: what no tuple grants, the relation on the resource decides alone. */
function openRequests(
  { unheld }: AuthzDependencies,
  store: Store,
  permission: string,
  requests: readonly PermissionRequest[],
  revision: number,
): readonly PermissionRequest[] {
  const [granted, ofResource] = requests;
  // a userset is a member of itself, without any tuple
  if (ofResource === undefined || granted?.subject.startsWith('permission:')) return requests;
  return unheld.has(store, permission, revision) ? [ofResource] : requests;
}

interface Asked {
  readonly subject: string;
  readonly permission: string;
  readonly now: number;
}

type Item = Omit<CheckItem, 'permission'>;

/**
 * The question of a caller, with all whose rights count where somebody acts for it. To be called inside `Engine.read`; who
 * may ask about the subject is judged before.
 */
export function decidePermission(dependencies: AuthzDependencies, caller: Caller, item: Item, asked: Asked): Answer {
  return caller.actor === undefined
    ? decideOne(dependencies, caller, item, asked)
    : decideActing(dependencies, caller, item, asked);
}

/** A function of its own: each variable that a closure captures costs an allocation in every call. */
function decideActing(dependencies: AuthzDependencies, caller: Caller, item: Item, asked: Asked): Answer {
  const { subject, permission, now } = asked;
  const ask = (of: string): Answer => decideOne(dependencies, caller, item, { ...asked, subject: of });
  const about = aboutPermission(permission, item.resource);
  const context = questionContext(item.context, now, dependencies.limits);
  return decideParties({ caller, subject, about, now, context, ask });
}

/** One subject's answer. */
function decideOne(dependencies: AuthzDependencies, caller: Caller, item: Item, asked: Asked): Answer {
  const { requests, decision } = settle(dependencies, caller, item, asked);
  return { decision, explain: () => explainAny(caller.organization.store, requests, decision, asked.now) };
}

/** One subject's decision, and the questions that it was made by. */
function settle(dependencies: AuthzDependencies, caller: Caller, item: Item, asked: Asked): Settled {
  const { store } = caller.organization;
  const { permission, now } = asked;
  const requests = requestsFor(dependencies, caller, item, asked);
  const revision = dependencies.engine.revision();
  const decision = askAny(store, openRequests(dependencies, store, permission, requests, revision), now);
  if (decision.outcome !== 'conditional') return { requests, decision };
  const whole = withStored(store, requests);
  return { requests: whole, decision: askAny(store, whole, now) };
}

interface Settled {
  readonly requests: readonly PermissionRequest[];
  readonly decision: Decision;
}

function requestsFor(dependencies: AuthzDependencies, caller: Caller, item: Item, { subject, permission, now }: Asked) {
  const { resource } = item;
  const { store } = caller.organization;
  const supplied = questionContext(item.context, now, dependencies.limits);
  const context = suppliesAttributes(supplied) ? withAttributes(store, supplied, { subject, resource }) : supplied;
  return permissionRequests(store, dependencies.relations, {
    permission,
    resource,
    subject,
    context,
    now,
  });
}
