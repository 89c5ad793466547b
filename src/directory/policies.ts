import type { RecordEntry, RecordWrite, Store } from '#engine';

/** Collection of an organization's store. The engine's object is `policy:{id}`. */
export const policyCollection = 'policies';

export const policyActors = ['user', 'agent'] as const;

/**
 * An attribute policy. Its grants are tuples alone. Its condition stands here and, while it is enabled, in the tuples
 * that say to whom it applies: one command writes both. Times are milliseconds since the epoch.
 */
export interface PolicyRecord {
  readonly name: string;
  readonly description: string;
  readonly appliesTo: readonly (typeof policyActors)[number][];
  /** CEL over `subject`, `resource`, `environment` and `now`. */
  readonly condition: string;
  readonly enabled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type PolicyEntry = RecordEntry<PolicyRecord>;

export function policyWrite(id: string, document: PolicyRecord): RecordWrite {
  return { collection: policyCollection, id, document, unique: { name: document.name.toLowerCase() } };
}

export function policyObject(id: string): string {
  return `policy:${id}`;
}

export function getPolicy(store: Store, id: string): PolicyEntry | undefined {
  return store.records.get<PolicyRecord>(policyCollection, id);
}
