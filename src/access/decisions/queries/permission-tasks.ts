import type { CheckRequest, Context, Explanation, Store } from '#engine';
import { actors } from '../../../directory/records/index.ts';
import { listAnswer, mapListed } from '../../../kernel/lists/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { permissionObject } from '../../../kernel/rights/index.ts';
import { askAny, explainAny } from '../checks/ask.ts';
import type { AbacBody } from '../checks/bodies.ts';
import { outcomeFields } from '../checks/decision-reply.ts';
import { actingFor, bothOf, explainBoth } from '../checks/parties.ts';
import { permissionRequests } from '../checks/permission/permission-question.ts';
import { type SourcesQuestion, sourcesOf } from '../checks/sources.ts';
import { resourceAttributes, subjectAttributes, withAttributes } from '../context/attributes.ts';
import { requireFresh } from '../context/consistency.ts';
import { askedSubject, questionContext, requireSmall } from '../context/supplied.ts';
import type { DecisionDependencies } from '../dependencies.ts';
import { Forbidden } from '../forbidden.ts';
import type { PermissionsQuery } from './decision-task.ts';

/** The permissions of a subject, each with where it comes from. To be called inside the snapshot that answers. */
export function listPermissions(dependencies: DecisionDependencies, caller: Caller, query: PermissionsQuery): unknown {
  const { store } = caller.organization;
  const subject = askedSubject(caller, { subject: query.subject });
  const now = dependencies.clock.now();
  const context = withAttributes(store, questionContext(undefined, now, dependencies.limits), { subject });
  const search = query.search?.toLowerCase() ?? '';
  const found = actors.counts(store, subject, now) ? allGranted(store, subject, context, now) : [];
  const actor = actingFor(caller, subject);
  const acting = actor === undefined ? undefined : new Set(grantedTo(dependencies, store, actor, now));
  const shared = acting === undefined ? found : found.filter((slug) => acting.has(slug));
  const slugs = shared.filter((slug) => slug.toLowerCase().includes(search)).sort();
  if (query.descending) slugs.reverse();
  const question: SourcesQuestion = { store, subject, context, now };
  // sources only of those that the page shows
  return mapListed(listAnswer(slugs, query.page, 'org'), (permission) => ({
    permission,
    sources: sourcesOf(question, permission).sources,
  }));
}

function grantedTo(dependencies: DecisionDependencies, store: Store, subject: string, now: number): string[] {
  const context = withAttributes(store, questionContext(undefined, now, dependencies.limits), { subject });
  return allGranted(store, subject, context, now);
}

function allGranted(store: Store, subject: string, context: Context, now: number): string[] {
  const slugs: string[] = [];
  const prefix = permissionObject('').length;
  let cursor: string | undefined;
  do {
    const page = store.listObjects({ type: 'permission', relation: 'granted', subject, context, now, cursor });
    for (const object of page.items) slugs.push(object.slice(prefix));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return slugs;
}

/**
 * One permission by every source: roles, groups, direct grants, policies over attributes, and `can_<action>` on the
 * resource. Conditions see `subject`, `resource` and `environment` as maps.
 */
export function checkAttributes(dependencies: DecisionDependencies, caller: Caller, body: AbacBody): unknown {
  const { permission, resource, subjectAttributes: supplied, environment, consistency, explain } = body;
  const { store } = caller.organization;
  const revision = dependencies.engine.revision();
  requireFresh(dependencies.tokens, consistency, revision);
  if (explain && !caller.may('tuples.read')) throw new Forbidden('An explanation needs tuples.read.');
  const bringsAttributes = (supplied ?? environment ?? resource?.attributes) !== undefined;
  const subject = askedSubject(caller, { subject: body.subject, context: bringsAttributes ? {} : undefined });
  const now = dependencies.clock.now();
  requireSmall([supplied, environment, resource?.attributes], dependencies.limits, 'attributes');
  const { context, requests } = attributeQuestion(dependencies, store, body, subject, now);
  const own = askAny(store, requests, now);
  const actor = actingFor(caller, subject);
  const acted = actor === undefined ? undefined : attributeQuestion(dependencies, store, body, actor, now).requests;
  const acting = acted && askAny(store, acted, now);
  const decision = acting === undefined ? own : bothOf(own, acting);
  const explanation = (): Explanation => {
    const one = explainAny(store, requests, own, now);
    return acted && acting ? explainBoth(one, explainAny(store, acted, acting, now), decision) : one;
  };
  const { sources, missing } = actors.counts(store, subject, now)
    ? sourcesOf({ store, subject, context, now }, permission)
    : { sources: [], missing: new Set<string>() };
  const { allowed, missing: lacking } = outcomeFields(decision);
  return {
    allowed,
    sources: [...sources, ...relationshipSources(store, requests, now)],
    revision: dependencies.tokens.of(revision),
    missing: allowed ? undefined : (lacking ?? (missing.size > 0 ? [...missing].sort() : undefined)),
    explanation: explain ? explanation() : undefined,
  };
}

function attributeQuestion(
  dependencies: DecisionDependencies,
  store: Store,
  body: AbacBody,
  subject: string,
  now: number,
) {
  const limits = { ...dependencies.limits, contextBytes: Number.POSITIVE_INFINITY };
  const context = questionContext(attributeContext(store, body, subject), now, limits);
  const { permission, resource } = body;
  const requests = permissionRequests(store, dependencies.relations, { permission, resource, subject, context, now });
  return { context, requests };
}

/** The second question of a permission with a resource is answered by the object itself. */
function relationshipSources(store: Store, requests: readonly CheckRequest[], now: number) {
  const ofResource = requests[1];
  if (ofResource === undefined || askAny(store, [ofResource], now).outcome !== 'allowed') return [];
  return [{ type: 'relationship', id: `${ofResource.object}#${ofResource.relation}` }];
}

function attributeContext(store: Store, body: AbacBody, subject: string): Context {
  return {
    subject: subjectAttributes(store, subject, body.subjectAttributes),
    resource: resourceAttributes(body.resource),
    environment: { ...body.environment },
  };
}
