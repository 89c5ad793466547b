import { type CheckRequest, type Context, everyTuple, parseSubject, type Store, type Tuple } from '#engine';
import { permissionObject } from '../../../kernel/rights/index.ts';
import { ask } from './ask.ts';

/** How a subject comes to a permission. */
export interface Source {
  readonly type: 'direct' | 'role' | 'group' | 'policy' | 'jit';
  /** The subject itself for a direct grant, else the id of the role, group, policy or elevation. */
  readonly id: string;
}

export interface SourcesQuestion {
  readonly store: Store;
  readonly subject: string;
  readonly context: Context;
  readonly now: number;
}

export interface FoundSources {
  readonly sources: readonly Source[];
  /** Context that policies lacked. */
  readonly missing: ReadonlySet<string>;
}

/** An object that no tuple names: the id has a form that no slug has. */
const PROBE = '!source';

/**
 * Every way in which a subject is granted a permission. Each grant is tried by itself: the engine is asked about an
 * object that has only this one tuple, a contextual one, so that conditions, expiry, memberships and whatever the
 * organization's model adds count as they do in the decision.
 */
export function sourcesOf(question: SourcesQuestion, permission: string): FoundSources {
  const sources = new Map<string, Source>();
  const missing = new Set<string>();
  for (const grant of everyTuple(question.store, { object: permissionObject(permission), relation: 'granted' })) {
    if (!isGranted(question, grant, `permission:${PROBE}`, missing)) continue;
    for (const source of sourcesBehind(question, grant, missing)) sources.set(`${source.type} ${source.id}`, source);
  }
  return { sources: [...sources.values()], missing };
}

function sourcesBehind(question: SourcesQuestion, grant: Tuple, missing: Set<string>): Source[] {
  const { type, id, relation } = parseSubject(grant.subject);
  switch (`${type}#${relation}`) {
    case 'role#assignee':
      return roleSources(question, id, missing);
    case 'group#member':
      return [{ type: 'group', id }];
    case 'policy#applies':
      return [{ type: 'policy', id }];
    case 'elevation#':
      return [{ type: 'jit', id }];
    default:
      return [{ type: 'direct', id: grant.subject }];
  }
}

/** Assigned to the subject itself the role is the source, assigned to a group that it is in, the group. */
function roleSources(question: SourcesQuestion, role: string, missing: Set<string>): Source[] {
  const sources: Source[] = [];
  for (const assignment of everyTuple(question.store, { object: `role:${role}`, relation: 'assignee' })) {
    if (!isGranted(question, assignment, `role:${PROBE}`, missing)) continue;
    const { type, id, relation } = parseSubject(assignment.subject);
    sources.push(type === 'group' && relation === 'member' ? { type: 'group', id } : { type: 'role', id: role });
  }
  // a model of the organization can make assignees without a tuple of this relation
  return sources.length > 0 ? sources : [{ type: 'role', id: role }];
}

function isGranted(question: SourcesQuestion, tuple: Tuple, probe: string, missing: Set<string>): boolean {
  const { store, subject, context, now } = question;
  const { relation } = tuple;
  const request: CheckRequest = {
    object: probe,
    relation,
    subject,
    context,
    now,
    contextualTuples: [{ ...tuple, object: probe }],
  };
  const decision = ask(store, request, now);
  if (decision.outcome === 'conditional') for (const name of decision.missing) missing.add(name);
  return decision.outcome === 'allowed';
}
