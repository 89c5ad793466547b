import type { ResourceEndpointParts } from '../../kernel/resources/index.ts';

export type GroupParts = ResourceEndpointParts;
