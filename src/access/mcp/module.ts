import type { Module } from '../../kernel/modules/index.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import { mcpEndpoint } from './mcp-endpoint.ts';
import { mcpResourceEndpoint } from './resource-endpoint.ts';

/** `{tenant_api}/mcp`: what agents ask and decide here, as tools of the Model Context Protocol. */
export const mcpModule: Module<McpDependencies> = {
  name: 'mcp',
  endpoints: (services) => [mcpEndpoint(services), mcpResourceEndpoint(services)],
};
