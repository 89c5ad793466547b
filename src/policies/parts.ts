import type { ResourceEndpointParts } from '../admin/index.ts';

export type PolicyParts = ResourceEndpointParts;
