import { z } from 'zod';
import type { SharedRelation, SharedType } from '#engine';
import { actors } from '../../../directory/records/index.ts';

/** What the author of a model should know of it, though it is valid. */
export const modelWarning = z
  .strictObject({
    path: z.string().describe('Where in the model: `dsl:4:8`'),
    type: z.string().optional(),
    relation: z.string().optional(),
    condition: z.string().optional(),
    message: z.string(),
  })
  .meta({ id: 'ModelWarning' });

export type ModelWarning = z.output<typeof modelWarning>;

/** What it means that a type of a model is also one of the system's. */
const meanings: Readonly<Record<string, string>> = {
  user: 'A user with a record counts only while it is active; one without a record counts as the tuples say.',
  agent: 'An agent with a record counts only while it is active.',
  group:
    'Its objects are the groups of the administration and of SCIM: writing their tuples needs groups.members, and one ' +
    'that names a new group makes its record, which needs groups.create.',
  role:
    'Its objects are the roles of the administration: writing their tuples needs roles.assign, and one that names a new ' +
    'role makes its record, which needs roles.create.',
  permission:
    'Its objects are the permissions of the administration: writing their tuples needs permissions.grant, and one that ' +
    'names a new permission makes its record, which needs permissions.create.',
  policy:
    'Its objects are also attribute policies: writing tuples of relations of your own needs policies.manage, and ' +
    '`applies` is written by the policy endpoints alone.',
};

function meaningOf(type: string): string {
  const right = actors.managedBy(type);
  const meaning = meanings[type];
  if (right === undefined) return meaning ?? 'The service writes its tuples by endpoints of its own.';
  const writing = `Writing tuples on it needs ${right}.`;
  return meaning === undefined ? writing : `${writing} ${meaning}`;
}

/** @param pathOf where a type or relation stands, as errors of the model say it */
export function modelWarnings(
  shared: readonly SharedType[],
  pathOf: (at: SharedType | SharedRelation) => string,
): ModelWarning[] {
  return shared.flatMap((type) => [
    { path: pathOf(type), type: type.name, message: typeMessage(type) },
    ...type.relations.flatMap((relation) => {
      const message = relationMessage(type.name, relation);
      return message === undefined
        ? []
        : [{ path: pathOf(relation), type: type.name, relation: relation.name, message }];
    }),
  ]);
}

/** Whoever tests a model elsewhere sends the time as a parameter, and would wonder why it counts no longer. */
export function clockWarning(condition: string, path: string): ModelWarning {
  const message =
    `\`now\` of \`${condition}\` is the server's clock here: a value that a question brings is not used. ` +
    'Name the parameter otherwise where the caller is to say the time.';
  return { path, condition, message };
}

function typeMessage({ name, added }: SharedType): string {
  const relations = added.map((relation) => `\`${relation}\``).join(', ');
  const more = added.length === 0 ? '' : ` The model did not define ${relations}, which the system added.`;
  const contextual = actors.isType(name) ? '' : ' Contextual tuples cannot name it.';
  return `\`${name}\` is also a type of the system, and both are one. ${meaningOf(name)}${contextual}${more}`;
}

function relationMessage(type: string, { name, added, own }: SharedRelation): string | undefined {
  const parts = [
    added.length === 0
      ? undefined
      : `It also accepts ${added.join(', ')}, which the system stores there and the model left out: they were added.`,
    own.length === 0
      ? undefined
      : `${own.join(', ')} ${own.length === 1 ? 'is' : 'are'} accepted as the model says, though the system has no such subject there: ` +
        'tuples alone give and show it.',
  ].filter((part) => part !== undefined);
  return parts.length === 0
    ? undefined
    : `\`${name}\` of \`${type}\` is also a relation of the system. ${parts.join(' ')}`;
}
