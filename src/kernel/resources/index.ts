export { ItemEndpoints } from './item-endpoints.ts';
export { type RecordList, recordListEndpoint, recordListPages } from './record-list.ts';
export type { Operation, Resource } from './resource.ts';
export { type ResourceEndpointDependencies, resourceEndpoints, resourceQuery } from './resource-endpoints.ts';
export { auditEventOf } from './resource-service.ts';
