import type { Module } from '../../kernel/modules/index.ts';
import { type CatalogDependencies, catalogEndpoints } from './catalog-endpoints.ts';

export { catalogViews, subscribers } from './catalog-endpoints.ts';
export { emittingBeside, emittingOperations } from './emitting-operations.ts';
export { operationOf } from './operation.ts';
export { type SilentReason, silentOperations, silentReasonOf, silentReasons } from './silent-operations.ts';

/** What is told of an organization, by which operation. */
export const catalogModule: Module<CatalogDependencies> = { name: 'event_catalog', endpoints: catalogEndpoints };
