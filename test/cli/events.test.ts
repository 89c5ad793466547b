import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EventSource } from '../../src/cli/events/event-source.ts';
import { type Organization, RunningService } from '../server/running-service.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { BUILT_MAIN, runCli } from './run-cli.ts';

let service: RunningService;
let org: Organization;
beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '1' });
  org = await service.organization('told');
});
afterAll(() => service.stop());

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function makeRole(slug: string): Promise<void> {
  const answer = await service.call('POST', `/t/${org.slug}/api/v1/admin/roles`, {
    key: org.key,
    body: { slug, name: slug },
  });
  expect(answer.status).toBe(201);
}

const where = () => ['--url', service.url, '--org', org.slug];
const environment = () => ({ RELATA_KEY: org.key });

function lines(text: string): { readonly type: string; readonly cursor: string; readonly data: object }[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe('relata events', () => {
  it('prints what happened, as lines of JSON, all or of some types or after an event', async () => {
    for (const slug of ['one', 'two', 'three']) await makeRole(slug);
    const all = await runCli(['events', ...where()], { environment: environment() });
    expect(all).toMatchObject({ code: 0, err: '' });
    const printed = lines(all.out);
    expect(printed.map(({ data }) => data)).toMatchObject(['one', 'two', 'three'].map((slug) => ({ role: { slug } })));
    const later = await runCli(['events', ...where(), '--after', printed[0]?.cursor ?? ''], {
      environment: environment(),
    });
    expect(lines(later.out)).toEqual(printed.slice(1));
    const none = await runCli(['events', ...where(), '--types', 'user.login, user.logout'], {
      environment: environment(),
    });
    expect(none).toMatchObject({ code: 0, out: '' });
  });

  it.each([
    { name: 'no key', argv: () => where(), environment: {}, reason: /an API key is missing/ },
    { name: 'a wrong key', argv: () => where(), environment: { RELATA_KEY: 'nonsense' }, reason: /answered 401/ },
    {
      name: 'an organization that is not there',
      argv: () => ['--url', service.url, '--org', 'nobody'],
      environment: { RELATA_KEY: 'nonsense' },
      reason: /answered 40[14]/,
    },
    {
      name: 'no URL',
      argv: () => ['--url', 'here', '--org', 'told'],
      environment: { RELATA_KEY: 'x' },
      reason: /--url/,
    },
  ])('says what is wrong with $name', async ({ argv, environment: given, reason }) => {
    const answer = await runCli(['events', ...argv()], { environment: given });
    expect(answer).toMatchObject({ code: 2, out: '', err: expect.stringMatching(reason) });
    expect(answer.err).not.toContain('nonsense');
  });
});

/** A program that takes webhooks, on this machine. */
async function receiver(): Promise<{
  readonly url: string;
  readonly got: { request: IncomingMessage; body: string }[];
}> {
  const got: { request: IncomingMessage; body: string }[] = [];
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ request, body: Buffer.concat(chunks).toString() });
      answer.writeHead(got.length === 1 ? 500 : 204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got };
}

async function listening(argv: readonly string[]): Promise<{ child: ChildProcess; secret: string; out: () => string }> {
  const child = spawn(process.execPath, [BUILT_MAIN, 'listen', ...where(), ...argv], {
    env: { ...process.env, RELATA_KEY: org.key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk;
  });
  ends.push(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  });
  await vi.waitFor(() => expect(err).toContain('whsec_'), { timeout: 20_000 });
  return { child, secret: /whsec_\S+/.exec(err)?.[0] ?? '', out: () => out };
}

describe('relata listen', () => {
  it('sends what happens to a program on this machine, signed as a webhook of it', async () => {
    await makeRole('before');
    const { url, got } = await receiver();
    const { child, secret, out } = await listening(['--forward-to', url, '--form', 'b', '--types', 'role.created']);
    // it listens from its start on, which nothing tells
    for (let n = 0; got.length < 2; n++) {
      await makeRole(`heard-${n}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(n).toBeLessThan(200);
    }
    for (const { request, body } of got) {
      new Webhook(secret).verify(body, request.headers as Record<string, string>);
      expect(JSON.parse(body)).toMatchObject({
        type: 'role.created',
        data: { role: { slug: expect.stringMatching(/^heard-/) } },
      });
      expect(request.headers).toHaveProperty('x-relata-signature');
    }
    await vi.waitFor(() => expect(out()).toMatch(/role\.created \S+ 500\n.*role\.created \S+ 204\n/));
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });

  it('misses nothing where its connection is lost before the first event', async () => {
    const proxy = await CuttingProxy.start(service.url);
    ends.push(() => proxy.close());
    const { url, got } = await receiver();
    await listening(['--url', proxy.url, '--forward-to', url, '--form', 'b', '--types', 'role.created']);
    await proxy.cut;
    await makeRole('meanwhile');
    proxy.open();
    await vi.waitFor(() => expect(got).toHaveLength(1), { timeout: 30_000 });
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({ data: { role: { slug: 'meanwhile' } } });
  });

  it.each([
    { argv: ['--forward-to', 'nowhere'], reason: /--forward-to/ },
    { argv: ['--forward-to', 'http://127.0.0.1:9', '--secret', 'short'], reason: /--secret/ },
    { argv: ['--forward-to', 'http://127.0.0.1:9', '--types', 'role.eaten'], reason: /no event role\.eaten/ },
    { argv: ['--forward-to', 'http://127.0.0.1:9', '--form', 'd'], reason: /--form/ },
  ])('refuses $argv', async ({ argv, reason }) => {
    const answer = await runCli(['listen', ...where(), ...argv], { environment: environment() });
    expect(answer).toMatchObject({ code: 2, err: expect.stringMatching(reason) });
  });
});

describe('a stream of events', () => {
  it('that is cut off goes on after the last event', async () => {
    const asked: string[] = [];
    const server = createServer((request, answer) => {
      asked.push(request.url ?? '');
      const event = { id: `${asked.length}`, type: 'x', createdAt: '', data: {}, cursor: `c${asked.length}` };
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      // two chunks, as a network may cut them
      answer.write(`: hello\n\nid: 1\nevent: x\ndata: ${JSON.stringify(event).slice(0, 9)}`);
      answer.end(`${JSON.stringify(event).slice(9)}\n\n`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const source = new EventSource({ url, org: 'o', key: 'k' }, undefined);
    const controller = new AbortController();
    const ids: string[] = [];
    for await (const { id } of source.live(controller.signal, () => {})) {
      ids.push(id);
      if (ids.length === 2) controller.abort();
    }
    expect(ids).toEqual(['1', '2']);
    expect(asked.map((path) => path.replace(/^.*events/, ''))).toEqual(['', '?after=c1']);
  });
});
