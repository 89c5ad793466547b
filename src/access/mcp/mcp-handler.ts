import { createMcpHandler, type McpRequestContext, McpServer } from '@modelcontextprotocol/server';
import { serviceVersion } from '../../platform/index.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import { elevationTools } from './tools/elevation-tools.ts';
import { askTool, checkTools } from './tools/question-tools.ts';
import type { Asking } from './tools/tool.ts';

/** Serves one HTTP request. The answer ends by itself: nothing is pushed to clients. */
export type McpHandler = (request: Request, asking: Asking) => Promise<Response>;

/** A server for each request, with the tools that its caller has. No session, and no timer, outlives it. */
export function mcpHandler(dependencies: McpDependencies): McpHandler {
  const handler = createMcpHandler((context) => serverFor(dependencies, context), {
    legacy: 'stateless',
    // whoever listens is told that nothing ever changes, and the stream ends: none stays open
    maxSubscriptions: 1,
    keepAliveMs: 0,
    onerror: (error) => dependencies.log.debug({ err: error }, 'a request of the Model Context Protocol was refused'),
  });
  return (request, asking) =>
    handler.fetch(request, { authInfo: { token: '', clientId: '', scopes: [], extra: { asking } } });
}

function serverFor(dependencies: McpDependencies, { authInfo, era }: McpRequestContext): McpServer {
  // put there by the handler above, for each request
  const asking = authInfo?.extra?.asking as Asking;
  const server = new McpServer(
    { name: 'relata', title: 'Relata', version: serviceVersion },
    {
      capabilities: { tools: { listChanged: false } },
      instructions:
        'Ask check before you act. Where it says no, and you are an agent, ask a person for more with request_elevation.',
    },
  );
  for (const tools of [checkTools, askTool, elevationTools]) tools(server, dependencies, { ...asking, era });
  return server;
}
