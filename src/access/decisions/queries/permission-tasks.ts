import type { CheckRequest, Context, Store } from '#engine';
import { actors, slugAsked } from '../../../directory/records/index.ts';
import { listAnswer, mapListed } from '../../../kernel/lists/index.ts';
import { type Caller, lentSubject } from '../../../kernel/organizations/index.ts';
import { permissionObject } from '../../../kernel/rights/index.ts';
import { forbidden } from '../../../kernel/transactions/index.ts';
import { askAny, explainAny } from '../checks/ask.ts';
import type { AbacBody } from '../checks/bodies.ts';
import { outcomeFields } from '../checks/decision-reply.ts';
import { permissionRequests } from '../checks/permission/permission-question.ts';
import { sourcesOf } from '../checks/sources.ts';
import { unknownPermission } from '../checks/unknown-permission.ts';
import { resourceAttributes, subjectAttributes, withAttributes } from '../context/attributes.ts';
import { requireFresh } from '../context/consistency.ts';
import { askedSubject, checkedSubject, questionContext, requireSmall } from '../context/supplied.ts';
import type { DecisionDependencies } from '../dependencies.ts';
import { decideParties } from '../parties/decide-parties.ts';
import { type HeldPermission, heldPermissions } from '../parties/held-permissions.ts';
import type { Answer } from '../parties/parties.ts';
import { aboutPermission, reaches } from '../parties/reach.ts';
import type { PermissionsQuery } from './decision-task.ts';

/** The permissions of a subject, each with where it comes from. To be called inside the snapshot that answers. */
export function listPermissions(dependencies: DecisionDependencies, caller: Caller, query: PermissionsQuery): unknown {
  const { store } = caller.organization;
  const subject = askedSubject(caller, { subject: query.subject });
  const now = dependencies.clock.now();
  const contextOf = (of: string): Context =>
    withAttributes(store, questionContext(undefined, now, dependencies.limits), { subject: of });
  const search = query.search?.toLowerCase() ?? '';
  const held = heldPermissions({ caller, subject, now, contextOf })
    .filter(({ permission }) => permission.toLowerCase().includes(search))
    .sort((one, other) => (one.permission < other.permission ? -1 : 1));
  if (query.descending) held.reverse();
  // sources only of those that the page shows
  return mapListed(listAnswer(held, query.page, 'org'), ({ permission, by, lentBy }: HeldPermission) => ({
    permission,
    sources: [
      ...(by === undefined ? [] : sourcesOf({ store, subject: by, context: contextOf(by), now }, permission).sources),
      ...(lentBy === undefined ? [] : [{ type: 'jit', id: lentBy }]),
    ],
  }));
}

/**
 * One permission by every source: roles, groups, direct grants, policies over attributes, and `can_<action>` on the
 * resource. Conditions see `subject`, `resource` and `environment` as maps.
 */
export function checkAttributes(dependencies: DecisionDependencies, caller: Caller, asked: AbacBody): unknown {
  const permission = slugAsked(caller.organization.store, asked.permission);
  const body: AskedBody = { ...asked, permission };
  const { resource, subjectAttributes: supplied, environment, consistency, explain } = body;
  const { store } = caller.organization;
  const revision = dependencies.engine.revision();
  const isDefined = dependencies.defined.has(store, permission, revision);
  if (body.strict === true && !isDefined) throw unknownPermission(permission);
  requireFresh(dependencies.tokens, consistency, revision);
  if (explain && !caller.may('tuples.read')) throw forbidden('An explanation needs tuples.read.');
  const bringsAttributes = (supplied ?? environment ?? resource?.attributes) !== undefined;
  const subject = checkedSubject(caller, { subject: body.subject, context: bringsAttributes ? {} : undefined });
  const now = dependencies.clock.now();
  requireSmall([supplied, environment, resource?.attributes], dependencies.limits, 'attributes');
  const about = aboutPermission(permission, resource);
  const ask = (of: string): Answer => {
    const { requests } = attributeQuestion(dependencies, store, body, of, now);
    const decision = askAny(store, requests, now);
    return { decision, explain: () => explainAny(store, requests, decision, now) };
  };
  const context = questionContext(undefined, now, dependencies.limits);
  const { decision, explain: explainAll } = decideParties({ caller, subject, about, now, context, ask });
  const { sources, missing } = attributeSources(dependencies, caller, body, { subject, now });
  const { allowed, missing: lacking } = outcomeFields(decision);
  return {
    allowed,
    unknown: decision.outcome === 'denied' && !isDefined ? true : undefined,
    sources,
    revision: dependencies.tokens.of(revision),
    missing: allowed ? undefined : (lacking ?? (missing.size > 0 ? [...missing].sort() : undefined)),
    explanation: explain ? explainAll() : undefined,
  };
}

/** With the slug of the permission. */
type AskedBody = AbacBody & { readonly permission: string };

interface AskedAt {
  readonly subject: string;
  readonly now: number;
}

/**
 * Where the permission comes from: to the subject; with what was lent, to the agent itself, and by the elevation. An
 * agency that does not reach the question is told nothing.
 */
function attributeSources(
  dependencies: DecisionDependencies,
  caller: Caller,
  body: AskedBody,
  { subject, now }: AskedAt,
) {
  const { store } = caller.organization;
  const { permission, resource } = body;
  const agency = subject === caller.subject ? caller.agency : undefined;
  const isReached = agency === undefined || reaches(caller, aboutPermission(permission, resource));
  const isElevated = agency?.kind === 'elevation';
  const of = isElevated ? caller.actor : isReached ? subject : undefined;
  const { context, requests } = attributeQuestion(dependencies, store, body, of ?? subject, now);
  const found =
    of !== undefined && actors.counts(store, of, now)
      ? sourcesOf({ store, subject: of, context, now }, permission)
      : { sources: [], missing: new Set<string>() };
  const related = of === undefined ? [] : relationshipSources(store, requests, now);
  const isLent = isElevated && isReached && isLentTo(dependencies, caller, body, { subject, now });
  const lent = isLent ? [{ type: 'jit', id: agency.id }] : [];
  return { sources: [...found.sources, ...related, ...lent], missing: found.missing };
}

/** Whether what was lent gives it now, apart from what the agent has itself. */
function isLentTo(
  dependencies: DecisionDependencies,
  { organization: { store }, agency }: Caller,
  body: AskedBody,
  { subject, now }: AskedAt,
): boolean {
  const lent = agency && lentSubject(agency);
  if (lent === undefined) return false;
  const granted = { object: permissionObject(body.permission), relation: 'granted', subject: lent, now };
  const context = questionContext(undefined, now, dependencies.limits);
  if (askAny(store, [{ ...granted, context }], now).outcome !== 'allowed') return false;
  return askAny(store, attributeQuestion(dependencies, store, body, subject, now).requests, now).outcome === 'allowed';
}

function attributeQuestion(
  dependencies: DecisionDependencies,
  store: Store,
  body: AskedBody,
  subject: string,
  now: number,
) {
  const limits = { ...dependencies.limits, contextBytes: Number.POSITIVE_INFINITY };
  const { permission, resource } = body;
  const attributes = {
    subject: subjectAttributes(store, subject, body.subjectAttributes),
    resource: resourceAttributes(resource),
    environment: { ...body.environment },
  };
  const context = questionContext(attributes, now, limits);
  const requests = permissionRequests(store, dependencies.relations, { permission, resource, subject, context, now });
  return { context, requests };
}

/** The second question of a permission with a resource is answered by the object itself. */
function relationshipSources(store: Store, requests: readonly CheckRequest[], now: number) {
  const ofResource = requests[1];
  if (ofResource === undefined || askAny(store, [ofResource], now).outcome !== 'allowed') return [];
  return [{ type: 'relationship', id: `${ofResource.object}#${ofResource.relation}` }];
}
