import type { ResourceEndpointParts } from '../admin/index.ts';

export type PermissionParts = ResourceEndpointParts;
