/** Fields that have few different values, and few combinations of them: an entry has one key for all of them. */
export const kindFields = ['action', 'eventType', 'severity', 'result', 'targetType'] as const;

export type KindField = (typeof kindFields)[number];

/** What entries of one kind have alike. */
export type Kind = Readonly<Partial<Record<KindField, string>>>;

const SEPARATOR = '|';
/** What an index keeps whole (`IndexReader.keys`). */
const KEY_BYTES_MAX = 400;

/** `undefined` where the fields do not fit into a key, or could not be told from each other in it. */
export function kindKey({ action, eventType, severity, result, targetType = '' }: Kind): string | undefined {
  const key = [action, eventType, severity, result, targetType].join(SEPARATOR);
  const isWhole = key.split(SEPARATOR).length === kindFields.length && Buffer.byteLength(key) <= KEY_BYTES_MAX;
  return isWhole ? key : undefined;
}

export function kindOf(key: string): Kind {
  const values = key.split(SEPARATOR);
  return Object.fromEntries(kindFields.map((field, index) => [field, values[index]]));
}
