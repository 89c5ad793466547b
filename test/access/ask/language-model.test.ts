import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forbidden, scene } from '../../security/organizations.ts';
import type { Organization } from '../../server/running-service.ts';
import { askedOf } from './asking.ts';

const on = scene({ RELATA_ALLOW_PRIVATE_URLS: '1', RELATA_THREADS: '1' });

interface Sent {
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
}

type Behaviour = (response: ServerResponse, sent: Sent) => void;

let server: Server;
let url = '';
let behave: Behaviour = (response) => response.end();
const received: Sent[] = [];

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`;
});
beforeEach(() => received.splice(0));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const sent = { authorization: request.headers.authorization, body: JSON.parse(text) };
  received.push(sent);
  behave(response, sent);
}

function says(content: string): Behaviour {
  return (response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));
  };
}

/** An organization with two kinds of deployment, a key that may do one of them, and the model switched on. */
async function prepared(): Promise<Organization> {
  const { org } = on;
  for (const [slug, name] of [
    ['deploy:staging', 'Deploy to staging'],
    ['deploy:production', 'Deploy to production'],
    ['wiki:read', 'Read the wiki'],
  ]) {
    expect((await org.post('/admin/permissions', { slug, name })).status).toBe(201);
  }
  const settings = { enabled: true, url, model: 'tiny', apiKey: 'sk-very-secret' };
  expect((await org.call('PUT', '/admin/ask/settings', { body: settings })).status).toBe(200);
  return on.as(await org.newKey({ permissions: ['deploy:staging'] }));
}

describe('a model that answers', () => {
  test('chooses where the words leave it open, and the engine decides', async () => {
    const own = await prepared();
    behave = says('{"choice": "deploy:staging"}');
    expect(await askedOf(own, 'Can I deploy?')).toMatchObject({ allowed: true, required_scopes: ['deploy:staging'] });
    behave = says('{"choice": "deploy:production", "allowed": true, "confidence": 1}');
    expect(await askedOf(own, 'Can I deploy?')).toMatchObject({
      allowed: false,
      required_scopes: ['deploy:production'],
      confidence: 0.6,
    });
  });

  test('is sent the question and what the choices are called, and nothing else', async () => {
    const own = await prepared();
    behave = says('{"choice": null}');
    await askedOf(own, 'Can I deploy?', { note: 'between us' });
    expect(received).toHaveLength(1);
    const [{ authorization, body }] = received as [Sent];
    expect(authorization).toBe('Bearer sk-very-secret');
    expect(Object.keys(body).sort()).toEqual(['max_tokens', 'messages', 'model', 'response_format', 'temperature']);
    const { question, choices } = JSON.parse(body.messages[1]?.content ?? '') as {
      question: string;
      choices: object[];
    };
    expect(question).toBe('Can I deploy?');
    expect(choices).toContainEqual({ key: 'deploy:staging', name: 'Deploy to staging', description: '' });
    expect(choices).not.toContainEqual(expect.objectContaining({ key: 'wiki:read' }));
    const text = JSON.stringify(body);
    for (const secret of ['between us', on.org.slug, 'api_key']) expect(text).not.toContain(secret);
  });

  test('is not asked where the words decide, or nothing could be chosen', async () => {
    const own = await prepared();
    behave = says('{"choice": "deploy:staging"}');
    const questions = [
      'Can I deploy to production?',
      'May Alice deploy?',
      'Can I do everything except deploy?',
      'Can I sing?',
    ];
    for (const question of questions) expect(await askedOf(own, question)).toMatchObject({ allowed: false });
    expect(received).toEqual([]);
  });
});

describe('a model that does not help changes nothing', () => {
  const without = { allowed: false, required_scopes: [], confidence: 0.25 };
  const cases: readonly { readonly name: string; readonly behaviour: Behaviour }[] = [
    { name: 'it hangs', behaviour: () => undefined },
    { name: 'it names a permission that the words do not', behaviour: says('{"choice": "wiki:read"}') },
    { name: 'it names a permission of the system', behaviour: says('{"choice": "settings.manage"}') },
    { name: 'it makes one up', behaviour: says('{"choice": "deploy:anything"}') },
    {
      name: 'it says that all is allowed',
      behaviour: says('{"allowed": true, "confidence": 1, "required_scopes": []}'),
    },
    { name: 'it names several', behaviour: says('{"choice": ["deploy:staging", "deploy:production"]}') },
    { name: 'it inherits its choice', behaviour: says('{"__proto__": {"choice": "deploy:staging"}}') },
    { name: 'it chats', behaviour: says('Sure! The answer is deploy:staging.') },
    { name: 'it is something else', behaviour: (response) => response.end('{"choices": "deploy:staging"}') },
    { name: 'it is no JSON', behaviour: (response) => response.end('<html>') },
    { name: 'it fails', behaviour: (response) => void response.writeHead(500).end('{}') },
    {
      name: 'it leads elsewhere',
      behaviour: (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    },
    {
      name: 'it answers ten megabytes',
      behaviour(response) {
        response.setHeader('content-type', 'application/json');
        response.write(`{"choices": [{"message": {"content": "{\\"choice\\": \\"deploy:staging\\"}"}}], "more": "`);
        response.end(`${'x'.repeat(10 * 1024 * 1024)}"}`);
      },
    },
    {
      name: 'it answers drop by drop',
      behaviour(response) {
        const timer = setInterval(() => response.write(' '), 100);
        response.on('close', () => clearInterval(timer));
      },
    },
  ];

  test.each(cases)('$name', async ({ behaviour }) => {
    const own = await prepared();
    behave = behaviour;
    const startedAt = performance.now();
    expect(await askedOf(own, 'Can I deploy?')).toMatchObject(without);
    expect(received).toHaveLength(1);
    // it waits for two seconds, and this machine may be busy
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  test('after three failures it is left alone for a while', async () => {
    const own = await prepared();
    behave = (response) => response.writeHead(503).end();
    for (let asked = 0; asked < 5; asked++) expect(await askedOf(own, 'Can I deploy?')).toMatchObject(without);
    expect(received).toHaveLength(3);
  });
});

describe('the settings', () => {
  const given = { enabled: true, url: 'https://models.example/v1/chat/completions', model: 'tiny', apiKey: 'sk-1' };
  const put = (body: object, org = on.org) => org.call('PUT', '/admin/ask/settings', { body });

  test('never show the key', async () => {
    const shown = { enabled: true, url: given.url, model: 'tiny', hasApiKey: true };
    const { apiKey: _, ...kept } = given;
    expect((await put(given)).body).toEqual({ data: shown });
    expect((await put(kept)).body).toEqual({ data: shown });
    expect((await on.org.call('GET', '/admin/ask/settings')).body).toEqual({ data: shown });
    expect((await put({ ...kept, apiKey: null })).body).toEqual({ data: { ...shown, hasApiKey: false } });
    const log = JSON.stringify((await on.org.call('GET', '/admin/audit-logs?limit=10')).body);
    expect(log).toContain('ask_settings.update');
    expect(log).not.toContain('sk-1');
  });

  test('another host does not get the key unseen', async () => {
    await put(given);
    const { apiKey: _, ...other } = { ...given, url: 'https://other.example/v1/chat/completions' };
    const refused = { status: 400, body: { errors: [{ path: 'apiKey' }] } };
    expect(await put(other)).toMatchObject(refused);
    expect(await put({ ...other, url: null, enabled: false })).toMatchObject(refused);
    expect((await put({ ...other, apiKey: 'sk-2' })).status).toBe(200);
  });

  test.each([
    { name: 'enabled without a URL', body: { enabled: true, url: null, model: 'tiny' }, path: 'url' },
    { name: 'enabled without a model', body: { enabled: true, url: given.url, model: null }, path: 'model' },
    { name: 'no URL', body: { enabled: false, url: 'models', model: null }, path: 'url' },
    {
      name: 'a user in the URL',
      body: { enabled: false, url: 'https://a:b@models.example', model: null },
      path: 'url',
    },
    { name: 'a key with a line break', body: { ...given, apiKey: 'a\r\nb' }, path: 'apiKey' },
  ])('$name is refused', async ({ body, path }) => {
    expect(await put(body)).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  test('are full administration', async () => {
    const reader = on.as(await on.org.newKey({ permissions: ['settings.read'] }));
    expect((await reader.call('GET', '/admin/ask/settings')).status).toBe(200);
    expect(await put(given, reader)).toMatchObject(forbidden);
    const other = on.as(await on.org.newKey({ permissions: ['users.read'] }));
    expect(await other.call('GET', '/admin/ask/settings')).toMatchObject(forbidden);
  });
});
