import { performance } from 'node:perf_hooks';
import type { Decision, Explanation, Store } from '#engine';
import type { Reply } from '../../../http/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { suppliesAttributes, withAttributes } from '../context/attributes.ts';
import { requireFresh } from '../context/consistency.ts';
import { askedSubject, questionContext } from '../context/supplied.ts';
import type { AuthzDependencies } from '../dependencies.ts';
import { Forbidden } from '../forbidden.ts';
import { askAny, explainAny } from './ask.ts';
import { type CheckBody, type CheckItem, checkItem, fastCheckBody, type ManyBody } from './bodies.ts';
import { answerBulk, type BulkAnswer } from './bulk.ts';
import type { BulkBody } from './bulk-body.ts';
import { type DecisionAnswer, decisionReply, outcomeFields } from './decision-reply.ts';
import { itemFailure, readItem } from './item-error.ts';
import { actingFor, bothOf, explainBoth } from './parties.ts';
import { type PermissionRequest, permissionRequests, withStored } from './permission/permission-question.ts';

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
    if (body.explain && !caller.may('tuples.read')) throw new Forbidden('An explanation needs tuples.read.');
    const now = dependencies.clock.now();
    const subject = askedSubject(caller, body);
    const own = decide(dependencies, caller, body, { subject, permission: body.permission, now });
    const actor = actingFor(caller, subject);
    if (actor === undefined)
      return decisionReply(own.decision, dependencies.tokens.of(revision), body.explain ? own.explain() : undefined);
    const acting = decide(dependencies, caller, body, { subject: actor, permission: body.permission, now });
    const decision = bothOf(own.decision, acting.decision);
    const explanation = body.explain ? explainBoth(own.explain(), acting.explain(), decision) : undefined;
    return decisionReply(decision, dependencies.tokens.of(revision), explanation);
  });
  dependencies.meter.record('check', startedAt, 1);
  return reply;
}

/** `POST /authz/check-bulk`: each by itself, all in one snapshot. */
export function checkPermissions(dependencies: AuthzDependencies, caller: Caller, body: BulkBody): Reply<BulkAnswer> {
  return answerBulk(dependencies, caller, body, (check, bulk, now) => {
    const fast = fastCheckBody(check);
    const read = fast === undefined ? readItem(checkItem, check) : { item: fast };
    if ('failure' in read) return bulk.settle(read.failure);
    const { permission } = read.item;
    const { store } = caller.organization;
    const subject = askedSubject(caller, read.item);
    const asked = { subject, permission, now };
    const actor = actingFor(caller, subject);
    if (actor !== undefined)
      return bulk.settle(outcomeFields(decideBoth(dependencies, caller, read.item, asked, actor)));
    const requests = requestsFor(dependencies, caller, read.item, asked);
    const [first = requests[0], second] = openRequests(
      dependencies,
      store,
      permission,
      requests,
      dependencies.engine.revision(),
    );
    bulk.ask(first, second, () => withStored(store, requests));
  });
}

export interface ManyOutcome {
  readonly held: string[];
  readonly lacking: string[];
  readonly missing: string[];
  readonly revision: string;
}

/**
 * Which of several permissions are held. One that fails with a named error fails the whole only where the others do not
 * settle it: `settledBy` says which kind does.
 */
export function sortPermissions(
  dependencies: AuthzDependencies,
  caller: Caller,
  body: ManyBody,
  settledBy: 'held' | 'lacking',
): ManyOutcome {
  const startedAt = performance.now();
  const outcome = dependencies.engine.read(() => {
    const revision = dependencies.engine.revision();
    requireFresh(dependencies.tokens, body.consistency, revision);
    const now = dependencies.clock.now();
    const found: { held: string[]; lacking: string[] } = { held: [], lacking: [] };
    const missing = new Set<string>();
    const subject = askedSubject(caller, body);
    const actor = actingFor(caller, subject);
    let failure: unknown;
    for (const permission of new Set(body.permissions)) {
      try {
        const decision = decideBoth(dependencies, caller, body, { subject, permission, now }, actor);
        found[decision.outcome === 'allowed' ? 'held' : 'lacking'].push(permission);
        if (decision.outcome === 'conditional') for (const name of decision.missing) missing.add(name);
      } catch (error) {
        itemFailure(error);
        failure ??= error;
      }
    }
    if (failure !== undefined && found[settledBy].length === 0) throw failure;
    return { ...found, missing: [...missing].sort(), revision: dependencies.tokens.of(revision) };
  });
  dependencies.meter.record('bulk', startedAt, body.permissions.length);
  return outcome;
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

interface Decided {
  readonly decision: Decision;
  readonly explain: () => Explanation;
}

/** One subject's question. */
function decide(dependencies: AuthzDependencies, caller: Caller, item: Item, asked: Asked): Decided {
  const { store } = caller.organization;
  const { permission, now } = asked;
  let requests: readonly PermissionRequest[] = requestsFor(dependencies, caller, item, asked);
  let decision = askAny(
    store,
    openRequests(dependencies, store, permission, requests, dependencies.engine.revision()),
    now,
  );
  if (decision.outcome === 'conditional') {
    requests = withStored(store, requests);
    decision = askAny(store, requests, now);
  }
  return { decision, explain: () => explainAny(store, requests, decision, now) };
}

/** The same, and of whom acts for the subject, where somebody does. */
function decideBoth(
  dependencies: AuthzDependencies,
  caller: Caller,
  item: Item,
  asked: Asked,
  actor: string | undefined,
): Decision {
  const { decision } = decide(dependencies, caller, item, asked);
  if (actor === undefined || decision.outcome === 'denied') return decision;
  return bothOf(decision, decide(dependencies, caller, item, { ...asked, subject: actor }).decision);
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
