import { type ModelSource, parseObject, parseSubject, type Tuple } from '#engine';
import { CliError } from '../cli-error.ts';
import type { Format } from '../import/reading/sources.ts';

/** How tuples are written in one format. What it writes, `relata import` reads back as the same tuples. */
export interface TupleFormat {
  /** What stands before the tuples. `model` throws where the store has none. */
  head(name: string, model: () => ModelSource): string;
  tuple(tuple: Tuple): string;
}

export const formats: Readonly<Record<Format, TupleFormat>> = {
  ndjson: {
    head: () => '',
    tuple: (tuple) => `${JSON.stringify(tuple)}\n`,
  },
  csv: {
    head: () =>
      'user_type,user_id,user_relation,relation,object_type,object_id,condition_name,condition_context,expires_at\n',
    tuple: csvRow,
  },
  'fga-yaml': {
    head: yamlHead,
    tuple: yamlItem,
  },
};

function csvRow({ object, relation, subject, condition, expiresAt }: Tuple): string {
  const { type, id } = parseObject(object);
  const user = parseSubject(subject);
  const row = [
    user.type,
    user.id,
    user.relation === '*' ? '' : user.relation,
    relation,
    type,
    id,
    condition?.name ?? '',
    condition?.context === undefined ? '' : JSON.stringify(condition.context),
    expiresAt === undefined ? '' : String(expiresAt),
  ];
  return `${row.map(csvField).join(',')}\n`;
}

/** RFC 4180; a field that begins with # is quoted too, as it would make the row a comment. */
function csvField(text: string): string {
  return /[",\r\n]|^#/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A store file without tests. Values are written as JSON, which is YAML. */
function yamlHead(name: string, model: () => ModelSource): string {
  const source = model();
  if (!('dsl' in source)) {
    throw new CliError('a model of modules does not fit a store file: export the tuples as ndjson or csv');
  }
  const lines = source.dsl.split(/\r?\n/).map((line) => (line === '' ? '' : `  ${line}`));
  return `name: ${JSON.stringify(name)}\nmodel: |2\n${lines.join('\n').trimEnd()}\n\ntuples:\n`;
}

function yamlItem({ object, relation, subject, condition, expiresAt }: Tuple): string {
  const lines = [
    `  - user: ${JSON.stringify(subject)}`,
    `    relation: ${JSON.stringify(relation)}`,
    `    object: ${JSON.stringify(object)}`,
    ...(condition === undefined ? [] : [`    condition: ${JSON.stringify(condition)}`]),
    ...(expiresAt === undefined ? [] : [`    expiresAt: ${expiresAt}`]),
  ];
  return `${lines.join('\n')}\n`;
}
