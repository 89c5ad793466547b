import type { Tuple } from '#engine';
import { lostDigits } from '../../http/index.ts';
import { CliError } from '../cli-error.ts';
import { tupleFromJson } from './tuple-json.ts';

/** Parts of a tuple and their columns: OpenFGA's (`user_*`, `object_*`, `condition_*`), others, and whole names in one. */
const columns = {
  object: ['object'],
  objectType: ['object_type'],
  objectId: ['object_id'],
  relation: ['relation'],
  subject: ['subject', 'user'],
  subjectType: ['subject_type', 'user_type'],
  subjectId: ['subject_id', 'user_id'],
  subjectRelation: ['subject_relation', 'user_relation'],
  conditionName: ['condition_name'],
  conditionContext: ['condition_context'],
  expiresAt: ['expires_at'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Where each part of a tuple stands in a row; -1 where there is no such column. */
export interface RowLayout extends Readonly<Record<keyof typeof columns, number>> {
  /** How many fields a row has. */
  readonly width: number;
}

/** Reads the names of a header. Throws `CliError` where they do not make tuples. */
export function rowLayout(header: readonly string[]): RowLayout {
  const names = header.map((name) => name.trim().toLowerCase());
  const known: readonly string[] = Object.values(columns).flat();
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new CliError(`the header has an unknown column ${JSON.stringify(unknown)}`);
  const indexes = Object.entries<readonly string[]>(columns).map(([part, either]) => {
    return [part, names.findIndex((name) => either.includes(name))];
  });
  const layout: RowLayout = { ...Object.fromEntries(indexes), width: names.length };
  const hasObject = layout.object >= 0 || (layout.objectType >= 0 && layout.objectId >= 0);
  const hasSubject = layout.subject >= 0 || (layout.subjectType >= 0 && layout.subjectId >= 0);
  if (hasObject && hasSubject && layout.relation >= 0) return layout;
  throw new CliError(
    'the header must name object, relation and subject, or user_type, user_id, user_relation, relation, object_type and object_id',
  );
}

/** Answers the tuple of a row, or in words what is wrong with it. */
export function tupleFromRow(layout: RowLayout, fields: readonly string[]): Tuple | string {
  if (fields.length !== layout.width) return `has ${fields.length} fields, and the header ${layout.width}`;
  const field = (at: number): string => (at < 0 ? '' : (fields[at] ?? ''));
  const name = field(layout.conditionName);
  const expiresAt = field(layout.expiresAt);
  const context = contextOf(field(layout.conditionContext));
  if (typeof context === 'string') return context;
  if (name === '' && context !== undefined) return 'has a condition_context and no condition_name';
  const relation = field(layout.subjectRelation);
  return tupleFromJson({
    object: layout.object >= 0 ? field(layout.object) : `${field(layout.objectType)}:${field(layout.objectId)}`,
    relation: field(layout.relation),
    subject:
      layout.subject >= 0
        ? field(layout.subject)
        : `${field(layout.subjectType)}:${field(layout.subjectId)}${relation === '' ? '' : `#${relation}`}`,
    ...(name === '' ? {} : { condition: { name, ...(context === undefined ? {} : { context }) } }),
    ...(expiresAt === '' ? {} : { expiresAt: /^\d+$/.test(expiresAt) ? Number(expiresAt) : expiresAt }),
  });
}

function contextOf(text: string): object | string | undefined {
  if (text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const lost = lostDigits(text);
      return lost === undefined ? value : `condition_context.${lost.path}: ${lost.message}`;
    }
  } catch {
    // the same sentence serves both
  }
  return 'condition_context: must be a JSON object';
}
