import type { Tuple } from '#engine';
import { lostDigits } from '../../http/index.ts';
import { CliError } from '../cli-error.ts';
import { tupleFromJson } from './tuple-json.ts';

/** OpenFGA's columns (`user_*`, `object_*`, `condition_*`), the same with `subject`, and whole names in one column. */
const COLUMNS = [
  'object',
  'relation',
  'subject',
  'user',
  'object_type',
  'object_id',
  'subject_type',
  'subject_id',
  'subject_relation',
  'user_type',
  'user_id',
  'user_relation',
  'condition_name',
  'condition_context',
  'expires_at',
] as const;

type Column = (typeof COLUMNS)[number];

/** Where each part of a tuple stands in a row; -1 where there is no such column. */
export interface RowLayout {
  /** How many fields a row has. */
  readonly width: number;
  readonly object: number;
  readonly objectType: number;
  readonly objectId: number;
  readonly relation: number;
  readonly subject: number;
  readonly subjectType: number;
  readonly subjectId: number;
  readonly subjectRelation: number;
  readonly conditionName: number;
  readonly conditionContext: number;
  readonly expiresAt: number;
}

/** Reads the names of a header. Throws `CliError` where they do not make tuples. */
export function rowLayout(header: readonly string[]): RowLayout {
  const names = header.map((name) => name.trim().toLowerCase());
  const unknown = names.find((name) => !(COLUMNS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new CliError(`the header has an unknown column ${JSON.stringify(unknown)}`);
  const at = (...either: Column[]): number => names.findIndex((name) => (either as string[]).includes(name));
  const layout: RowLayout = {
    width: names.length,
    object: at('object'),
    objectType: at('object_type'),
    objectId: at('object_id'),
    relation: at('relation'),
    subject: at('subject', 'user'),
    subjectType: at('subject_type', 'user_type'),
    subjectId: at('subject_id', 'user_id'),
    subjectRelation: at('subject_relation', 'user_relation'),
    conditionName: at('condition_name'),
    conditionContext: at('condition_context'),
    expiresAt: at('expires_at'),
  };
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
