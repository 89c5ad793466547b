import { walkRecords } from '#engine';
import type { AnyRecordKind } from '../../kernel/records/index.ts';

/** What is wrong about records that can be read. */
export interface Misfits {
  /** The first hundred, in words: paths and rules, and none of the values, which may be a secret. */
  readonly shown: readonly string[];
  /** Records that are not what their kind says. */
  readonly records: number;
  /** Collections of one store that no kind describes. */
  readonly collections: number;
}

const SHOWN_MAX = 100;
const RULES_MAX = 5;

/** Holds every record of a folder to the schema of its kind. */
export async function findMisfits(path: string, kinds: readonly AnyRecordKind[]): Promise<Misfits> {
  const schemas = new Map(kinds.map(({ collection, schema }) => [collection, schema]));
  const shown: string[] = [];
  const tell = (line: string): void => {
    if (shown.length < SHOWN_MAX) shown.push(line);
  };
  let records = 0;
  let collections = 0;
  let unknown = '';
  await walkRecords(path, ({ store, collection, id, document }) => {
    const schema = schemas.get(collection);
    const rules = schema === undefined ? [] : brokenRules(schema, document);
    if (rules.length > 0) {
      records++;
      tell(`store ${store}: record ${collection}/${id} does not fit: ${rules.join('; ')}`);
    }
    // its records come one after the other
    const found = `${store}\n${collection}`;
    if (schema !== undefined || found === unknown) return;
    unknown = found;
    collections++;
    tell(`store ${store}: no kind of record is known for the collection ${collection}`);
  });
  return { shown, records, collections };
}

function brokenRules(schema: AnyRecordKind['schema'], document: unknown): string[] {
  const { error } = schema.safeParse(document);
  // an earlier version may have stored members that are absent as such
  if (error === undefined || schema.safeParse(JSON.parse(JSON.stringify(document))).success) return [];
  const { issues } = error;
  const rules = issues.slice(0, RULES_MAX).map(({ path, message }) => `${path.join('.') || 'document'}: ${message}`);
  return issues.length > RULES_MAX ? [...rules, `${issues.length - RULES_MAX} more`] : rules;
}
