import { z } from 'zod';
import { bytes, type Call, describedObject, type Endpoint, endpointFor, parseJson, problem } from '../../http/index.ts';
import { factsOf } from '../../kernel/audit/index.ts';
import type { Caller } from '../../kernel/organizations/index.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import type { McpHandler } from './mcp-handler.ts';

const endpoint = endpointFor<Caller>();

const BODY_MAX = 262_144;

const jsonrpc = z.literal('2.0').describe('Version of JSON-RPC');
const id = z.union([z.string(), z.int(), z.null()]);
const message = describedObject(
  'McpMessage',
  z.looseObject({
    jsonrpc,
    id: id.describe('What the answer names; a notification has none').optional(),
    method: z.string().describe('`tools/list`, `tools/call` and so on'),
    params: z.record(z.string(), z.unknown()).describe('What the method is called with').optional(),
  }),
);
const answer = z
  .looseObject({
    jsonrpc,
    id: id.describe('The id of the message').optional(),
    result: z.record(z.string(), z.unknown()).describe('What the method answers').optional(),
    error: z
      .looseObject({ code: z.int(), message: z.string(), data: z.unknown().optional() })
      .describe('Why it has no answer')
      .optional(),
  })
  .meta({ id: 'McpAnswer' });

/** Those that the protocol gives a meaning. Credentials are none of its business. */
const headerNames = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/**
 * `POST {tenant_api}/mcp`: each request by itself, without a session. There is nothing to listen to: other methods are
 * answered 405.
 */
export function mcpEndpoint(dependencies: McpDependencies): Endpoint {
  let loading: Promise<McpHandler> | undefined;
  const { origin } = new URL(dependencies.baseUrl);
  return endpoint({
    method: 'POST',
    path: '/t/{tenant}/api/v1/mcp',
    summary: 'Send a message of the Model Context Protocol',
    description:
      'JSON-RPC of the revision 2026-07-28, and of those from 2025-03-26 on. Tools: `check`, `list_permissions`, `ask`, and of ' +
      'agents `request_elevation`, `list_elevations` and `end_elevation`. A token may be for this address alone (RFC ' +
      '8707): then it opens nothing else. A request with the `Origin` of another site is refused.',
    tags: ['Model Context Protocol'],
    access: { resource: 'mcp' },
    bodyForm: 'bytes',
    body: message,
    accepts: ['application/json'],
    bodyMax: BODY_MAX,
    responses: {
      200: {
        description: 'The answer, as JSON or as a stream of one event',
        contentType: 'application/json',
        schema: answer,
        others: { 'text/event-stream': z.string() },
      },
      202: { description: 'A notification was received.' },
      400: { description: 'An error of JSON-RPC: what was sent is no request that is served here.' },
      404: { description: 'An error of JSON-RPC: there is no such method.' },
      405: { description: 'An error of JSON-RPC: the method is not served.' },
      406: { description: 'An error of JSON-RPC: the client must accept JSON and event streams.' },
    },
    errors: ['invalid_request', 'malformed_json', 'forbidden', 'unavailable'],
    async handler(call) {
      const from = call.header('origin');
      if (from !== '' && from !== origin) return problem('forbidden', 'Requests from other sites are refused.');
      // of its form, `bytes`
      const body = Buffer.from(call.body as unknown as Uint8Array);
      // the library reads the text once more; it takes what other bodies may not have
      const parsed = parseJson(body, { depth: dependencies.limits.jsonDepth });
      if (!parsed.ok) return parsed.problem;
      const request = new Request(`${dependencies.baseUrl}/mcp`, {
        method: 'POST',
        headers: headersOf(call),
        body: body.toString('utf8'),
      });
      const asking = { caller: call.caller, facts: factsOf(call) };
      // few organizations use it: loaded at its first use
      loading ??= import('./mcp-handler.ts').then(({ mcpHandler }) => mcpHandler(dependencies));
      const handle = await loading;
      const handled = await handle(request, asking);
      const answered = Buffer.from(await handled.arrayBuffer());
      return bytes(handled.status, handled.headers.get('content-type') ?? '', answered);
    },
  });
}

function headersOf(call: Pick<Call<unknown, unknown, unknown, unknown>, 'header'>): Record<string, string> {
  const sent = headerNames.map((name) => [name, call.header(name)] as const);
  const headers = Object.fromEntries(sent.filter(([, value]) => value !== ''));
  const { accept = '*/*' } = headers;
  // whoever takes anything takes both forms of an answer
  return accept.includes('*/*') ? { ...headers, accept: 'application/json, text/event-stream' } : headers;
}
