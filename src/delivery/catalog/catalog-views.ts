import { type Catalog, type CatalogEntry, catalogs, type EventTypes } from '../../kernel/events/index.ts';
import { emittingBeside, emittingOperations } from './emitting-operations.ts';

/** What subscribes to each catalog. */
export const subscribers: Readonly<Record<Catalog, string>> = {
  a: '/orgs/{orgId}/api/v1/admin/webhooks',
  b: '/t/{tenant}/api/v1/admin/webhooks',
  c: '/orgs/{orgId}/api/v1/webhooks',
};

/** A name of a catalog, and what causes it. */
export interface EventTypeView extends Omit<CatalogEntry, 'types'> {
  readonly operations: readonly string[];
}

export interface CatalogView {
  readonly catalog: Catalog;
  readonly subscribedAt: string;
  readonly types: readonly EventTypeView[];
}

export function catalogViews(types: EventTypes): CatalogView[] {
  return catalogs.map((catalog) => ({
    catalog,
    subscribedAt: subscribers[catalog],
    types: types.entriesIn(catalog).map(({ types: own, ...entry }) => ({ ...entry, operations: causesOf(own) })),
  }));
}

/** Operations, and what else causes events of these types. */
function causesOf(types: readonly string[]): string[] {
  const causes: Readonly<Record<string, readonly string[]>> = { ...emittingOperations, ...emittingBeside };
  return Object.keys(causes).filter((cause) => causes[cause]?.some((type) => types.includes(type)));
}
