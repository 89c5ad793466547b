import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Organization, RunningService } from '../server/running-service.ts';
import { body, broken, contradictory, inChunks, json, post, slow, smuggled, write } from './framing-requests.ts';
import { sendRaw } from './raw-request.ts';

describe.each(['uws', 'socket'] as const)('over %s', (transport) => {
  // uWebSockets.js has no binary for later versions of Node.js
  const isMissing = transport === 'uws' && Number(process.versions.node.split('.')[0]) > 20;
  let service: RunningService;
  let org: Organization;
  let before: string;

  beforeAll(async () => {
    if (isMissing) return;
    service = await RunningService.start({
      RELATA_TRANSPORT: transport,
      RELATA_LIMIT_BODY_TIMEOUT_MS: '4000',
      RELATA_LIMIT_HEADERS_TIMEOUT_MS: '4000',
    });
    org = await service.organization('acme');
    await org.model('type doc', '  relations', '    define viewer: [user]');
    await org.write('doc:1#viewer@user:anne');
    before = await state();
  });
  afterAll(() => service?.remove());

  const state = async () => JSON.stringify((await org.call('GET', '/zanzibar/tuples')).list('tuples'));
  const headText = (lines: readonly string[]): string =>
    `${[...lines, `authorization: Bearer ${org.key}`].join('\r\n').replaceAll('{LENGTH}', String(body.length))}\r\n\r\n`;

  // at once, because uWebSockets.js ends a connection that it cannot read only when it has been silent for 10 s
  test.skipIf(isMissing).concurrent.each([...contradictory, ...broken, ...inChunks, ...slow])(
    '$name: refused, and what follows is no request',
    async ({ name, head, rest = body, options, statuses }) => {
      const trace = `doc:${name.replaceAll(/\W/g, '-')}`;
      // what a proxy that read it otherwise would take for the body, and this service for a request
      const answer = await sendRaw(
        service.port,
        headText(head) + rest + (options === undefined ? smuggled(org.key, trace) : ''),
        options,
      );
      expect(answer.statuses.filter((status) => !statuses.includes(status))).toEqual([]);
      expect(answer.isClosed).toBe(true);
      expect(await state()).not.toContain(trace);
    },
  );

  test.skipIf(isMissing)('requests in a pipeline are answered each, in order, also after a bad one', async () => {
    const one = (text: string) => headText([post, 'host: x', json, `content-length: ${text.length}`]) + text;
    const answer = await sendRaw(service.port, one(body) + one('{') + one('{}') + one(body), { answers: 4 });
    expect(answer.statuses).toEqual([200, 400, 400, 200]);
    expect(answer.text.match(/"allowed":true/g)).toHaveLength(2);
  });

  test.skipIf(isMissing)('a connection that ends in the middle of a write leaves nothing', async () => {
    const head = headText([
      'POST /t/acme/api/v1/zanzibar/tuples HTTP/1.1',
      'host: x',
      json,
      `content-length: ${write.length}`,
    ]);
    await sendRaw(service.port, head + write.slice(0, 20), { waitMs: 200 });
    expect(await state()).toBe(before);
  });

  test.skipIf(isMissing)('a body in two packets is one body', async () => {
    const head = headText([post, 'host: x', json, 'content-length: {LENGTH}']);
    const answer = await sendRaw(service.port, head + body.slice(0, 7), { more: [body.slice(7)] });
    expect(answer.statuses).toEqual([200]);
  });
});
