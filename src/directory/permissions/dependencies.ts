import type { ResourceEndpointDependencies } from '../../kernel/resources/index.ts';

export type PermissionDependencies = ResourceEndpointDependencies;
