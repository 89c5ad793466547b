export { ItemEndpoints } from './item-endpoints.ts';
export type { Resource } from './resource.ts';
export { type ResourceEndpointParts, resourceEndpoints, resourceWork } from './resource-endpoints.ts';
export { happeningTo } from './resource-service.ts';
