import type { Explanation } from '#engine';
import type { Party } from '../../decisions/index.ts';
import type { Mapping, Reading } from '../mapping/mapping.ts';

/** What people call permissions, by their slugs; `''` where that is the slug. */
type Names = Readonly<Record<string, string>>;

export interface Told {
  readonly mapping: Mapping;
  readonly reading: Reading;
  readonly names: Names;
  /** Who is asked about: `agent:A`. */
  readonly subject: string;
  /** Who acts for it, where somebody does. */
  readonly actor: string | undefined;
  readonly decision: {
    readonly allowed: boolean;
    /** Names of context that conditions lacked. */
    readonly missing?: readonly string[];
    readonly explanation?: Explanation;
  };
  /** What people call an object (`role:editor`); `undefined` where the caller may not know. */
  readonly nameOf: (object: string) => string | undefined;
}

type NameOf = Told['nameOf'];

/**
 * A decision in a sentence or two, with its proof where the decision came with one: which it does only for callers who
 * may read tuples.
 */
export function explainDecision({ mapping, reading, names, subject, actor, decision, nameOf }: Told): string {
  const { allowed, missing, explanation } = decision;
  const yes = mapping.isNegated ? (allowed ? 'It is allowed.' : 'It is not allowed.') : allowed ? 'Yes.' : 'No.';
  const begin = mapping.isNeeded && reading.kind === 'permission' ? `This needs ${thingOf(reading, names)}.` : yes;
  const spoken = (object: string): string => spokenSubject(object, nameOf);
  const who = actor === undefined ? spoken(subject) : `${spoken(actor)}, acting for ${spoken(subject)},`;
  if (!allowed && missing !== undefined) {
    return `${begin} Whether ${who} ${verbOf(reading, names, true)} depends on what is missing in the context: ${missing.join(', ')}.`;
  }
  const says = `${who} ${verbOf(reading, names, allowed)}`;
  const proof = explanation === undefined ? '' : allowed ? sourceOf(explanation, nameOf) : refusalOf(explanation);
  return `${begin} ${capital(says)}${proof}.`;
}

export const unmappedTexts = {
  unknown: 'No permission or relation of this organization fits the question.',
  ambiguous: 'The question has more than one meaning',
  several: 'The question asks about several things; ask about one at a time',
  other:
    'Ask whether you may do one thing, such as "May I read the plan?". To ask about somebody else, name them in context.subject.',
  no_object: 'The question does not name its object. Name it as type:id, or send context.resource.',
} as const;

/** Why a question was not decided. */
export function explainUnmapped({ reason, readings }: Extract<Mapping, { isMapped: false }>, names: Names): string {
  const text = unmappedTexts[reason];
  if (reason !== 'ambiguous' && reason !== 'several') return text;
  const list = readings.map((reading) => thingOf(reading, names));
  if (list.length < 2)
    return reason === 'several' ? `${text}.` : 'The question does not say enough: name what it is about.';
  return `${text}: ${list.join('; ')}.`;
}

function thingOf(reading: Reading, names: Names): string {
  if (reading.kind === 'relation') return `${reading.relation} of ${reading.object.type}:${reading.object.id}`;
  const { permission, resource } = reading;
  const name = names[permission] ?? '';
  const on = resource === undefined ? '' : ` on ${resource.type}:${resource.id}`;
  return `${permission}${on}${name === '' ? '' : ` (${name})`}`;
}

function verbOf(reading: Reading, names: Names, isSo: boolean): string {
  const [yes, no] = reading.kind === 'permission' ? ['holds', 'does not hold'] : ['is', 'is not'];
  return `${isSo ? yes : no} ${thingOf(reading, names)}`;
}

const PROOF_MAX = 4;

/** How the subject comes to it: ` through the role editor, of the group staff`. */
function sourceOf(explanation: Explanation, nameOf: NameOf): string {
  const steps = allowedTuples(explanation)
    .filter((tuple) => !assigned.test(tuple))
    .slice(0, PROOF_MAX)
    .map((tuple) => stepOf(tuple, nameOf));
  return steps.length === 0 ? '' : ` ${steps.join(', ')}`;
}

function allowedTuples({ tuple, outcome, rule, children = [] }: Explanation): string[] {
  if (outcome !== 'allowed') return [];
  const allowed = children.filter((child) => child.outcome === 'allowed');
  const followed = rule === 'intersection' ? allowed : allowed.slice(0, 1);
  return [...(tuple === undefined ? [] : [tuple]), ...followed.flatMap(allowedTuples)];
}

const sources: readonly (readonly [RegExp, string])[] = [
  [/^permission:.+#granted@(role:.+)#assignee$/u, 'through the role '],
  [/^permission:.+#granted@(group:.+)#member$/u, 'through the group '],
  [/^permission:.+#granted@(policy:.+)#applies$/u, 'by the policy '],
  [/^permission:.+#granted@(elevation:[^#]+)$/u, 'by the elevation '],
  [/^role:.+#assignee@(group:.+)#member$/u, 'as a member of the group '],
];

/** Whom a role is assigned to is said with the role. */
const assigned = /^role:.+#assignee@[^#]+$/u;

function stepOf(tuple: string, nameOf: NameOf): string {
  for (const [pattern, words] of sources) {
    const object = pattern.exec(tuple)?.[1];
    if (object !== undefined) return words + called(object, nameOf);
  }
  return /^permission:.+#granted@/u.test(tuple) ? 'directly' : `because of ${tuple}`;
}

const parties: Readonly<Record<Party, string>> = {
  user: 'rights of the user',
  agent: 'rights of the agent',
  ceiling: 'limits of what was delegated or lent',
  grant: 'grant of the task',
  lender: 'rights of the lender',
};

/** Where several must agree, who did not. */
function refusalOf(explanation: Explanation): string {
  const refused = [...new Set(deniedBy(explanation))];
  return refused.length === 0 ? '' : `: refused by the ${refused.map((party) => parties[party]).join(', and by the ')}`;
}

function deniedBy(explanation: Explanation & { readonly deniedBy?: readonly Party[] }): Party[] {
  return [...(explanation.deniedBy ?? []), ...(explanation.children ?? []).flatMap(deniedBy)];
}

/** `agent:A` as people say it. */
function spokenSubject(subject: string, nameOf: NameOf): string {
  return `${subject.slice(0, subject.indexOf(':')).replace(/_/gu, ' ')} ${called(subject, nameOf)}`;
}

/** By its name; what has a slug is asked for by that. */
function called(object: string, nameOf: NameOf): string {
  const id = object.slice(object.indexOf(':') + 1);
  const name = nameOf(object);
  if (name === undefined || name === id) return id;
  return slugged.test(object) ? `${id} (${name})` : name;
}

const slugged = /^(?:role|group):/u;

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
