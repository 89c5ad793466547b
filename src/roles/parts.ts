import type { ResourceEndpointParts } from '../admin/index.ts';

export type RoleParts = ResourceEndpointParts;
