import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveTask, denyTask } from '../../../src/directory/elevations/index.ts';
import { facts } from '../../identity/sessions/in-process-service.ts';
import { ClockedProvider } from '../../protocols/oauth/in-process.ts';
import { McpWorld } from './world.ts';

let first: ClockedProvider;
let world: McpWorld;

beforeAll(async () => {
  first = await ClockedProvider.start('mcp-elevations');
  world = await McpWorld.open(first);
});
afterAll(() => first.service.stop());

const wanted = { task_description: 'Correct the prices', required_scopes: ['db:write'] };

/** A client of an agent. `shown` is what it shows its person; undefined where it can show no page. */
async function clientOf(token: string, shown?: (url: string) => Promise<'accept' | 'decline'>): Promise<Client> {
  const capabilities = shown === undefined ? {} : { elicitation: { url: {} } };
  const client = new Client({ name: 'agent', version: '1' }, { capabilities, versionNegotiation: { mode: 'auto' } });
  if (shown !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => ({
      action: await shown('url' in params ? params.url : ''),
    }));
  }
  await client.connect(
    new StreamableHTTPClientTransport(world.url, { authProvider: { token: async () => token }, fetch: world.fetch }),
  );
  return client;
}

const taskOf = (url: string): string => url.split('/').at(-1) ?? '';

test('an agent asks, its client shows the page, and the answer comes when somebody has decided', async () => {
  const { elevations, oauth } = world;
  const { token } = await world.agent();
  const approver = await elevations.approver();
  const pages: string[] = [];
  const client = await clientOf(token, async (url) => {
    pages.push(url);
    const { organization } = oauth.provider.organization;
    const id = taskOf(url);
    await approveTask(elevations.elevations, organization, approver.id, facts, id, elevations.all(id));
    return 'accept';
  });
  const answer = await client.callTool({ name: 'request_elevation', arguments: wanted });
  expect(pages).toEqual([expect.stringMatching(/^https:\/\/id\.example\.test\/orgs\/[^/]+\/approvals\/[\w-]+$/)]);
  expect(answer.isError).not.toBe(true);
  const [page = ''] = pages;
  const approved = { task_id: taskOf(page), status: 'approved', scopes: ['db:write'], active: true };
  expect(answer.structuredContent).toMatchObject(approved);
  const listed = async () => (await client.callTool({ name: 'list_elevations', arguments: {} })).structuredContent;
  expect(await listed()).toMatchObject({ tasks: [approved] });
  const ended = await client.callTool({ name: 'end_elevation', arguments: { task_id: taskOf(page) } });
  expect(ended.structuredContent).toMatchObject({ status: 'approved', active: false });
  expect(await listed()).toEqual({ tasks: [] });
  expect(elevations.lent(taskOf(page))).toEqual([]);
  await client.close();
});

test('somebody who decides a little later is waited for, and a refusal is an error', async () => {
  const { elevations, oauth } = world;
  const { token } = await world.agent();
  const approver = await elevations.approver();
  let decided: Promise<unknown> = Promise.resolve();
  let shown = 0;
  const client = await clientOf(token, async (url) => {
    shown++;
    const id = taskOf(url);
    const { organization } = oauth.provider.organization;
    decided = new Promise((resolve) => setTimeout(resolve, 700)).then(() =>
      denyTask(elevations.elevations, organization, approver.id, facts, id, { digest: elevations.digest(id) }),
    );
    return 'accept';
  });
  const answer = await client.callTool({ name: 'request_elevation', arguments: wanted });
  await decided;
  expect([shown, answer.isError]).toEqual([1, true]);
  expect(JSON.stringify(answer.content)).toContain('denied');
  await client.close();
});

test('who does not want to see the page, or has no client that shows it, is told its address', async () => {
  const { token } = await world.agent();
  for (const shown of [undefined, async () => 'decline' as const]) {
    const client = await clientOf(token, shown);
    const { structuredContent } = await client.callTool({ name: 'request_elevation', arguments: wanted });
    expect(structuredContent).toMatchObject({
      status: 'pending',
      approval_url: expect.stringContaining('/approvals/'),
    });
    await client.close();
  }
});

test('nobody goes on with a state that was made up, or with the task of another agent', async () => {
  const [one, other] = await Promise.all([world.agent(), world.agent()]);
  const asked = (token: string, requestState?: string) => {
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'request_elevation',
    };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
    };
    const params = { name: 'request_elevation', arguments: wanted, _meta, ...(requestState ? { requestState } : {}) };
    const authorization = `Bearer ${token}`;
    return world.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { ...headers, authorization });
  };
  const begun = (await (await asked(one.token)).json()) as { result: { resultType: string; requestState: string } };
  expect(begun.result.resultType).toBe('input_required');
  const { requestState: state } = begun.result;
  for (const [token, tried] of [
    [other.token, state],
    [one.token, `${state.slice(0, -2)}AA`],
    [one.token, state.replace(/^[^.]+/, taskOf('x/00000000-0000-7000-8000-000000000000'))],
  ] as const) {
    const { result } = (await (await asked(token, tried)).json()) as { result: { isError?: boolean } };
    expect(result.isError).toBe(true);
  }
  expect(JSON.stringify(await (await asked(other.token)).json())).toContain('input_required');
  const ending = await clientOf(other.token);
  const task = state.split('.')[0];
  expect((await ending.callTool({ name: 'end_elevation', arguments: { task_id: task } })).isError).toBe(true);
  expect((await ending.callTool({ name: 'list_elevations', arguments: { task_id: task } })).isError).toBe(true);
  await ending.close();
});
