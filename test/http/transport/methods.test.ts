import { expect, test } from 'vitest';
import { sharedService } from '../../server/shared-service.ts';
import { describeEachTransport } from './each-transport.ts';
import { bodyOf, headersOf, sendRaw, statusesOf } from './raw-client.ts';

const request = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`;

describeEachTransport('methods that few use', (fixture, name) => {
  // uWebSockets.js 20.30 has routes for nine methods, and its `any` is those: for others it closes the connection before
  // anything of ours is called
  test.skipIf(name === 'uws').each(['QUERY', 'PROPFIND', 'PURGE'])(
    '%s reaches the application, which says what there is',
    async (method) => {
      const answer = await sendRaw(fixture.server.port, request(method, '/a'), { quietMs: 100 });
      expect(statusesOf(answer)).toEqual([200]);
      expect(fixture.seen.requests).toMatchObject([{ method, path: '/a' }]);
    },
  );

  test.each(['BREW', 'get'])('%s leaves the server as it was', async (method) => {
    const answer = await sendRaw(fixture.server.port, request(method, '/a'), { quietMs: 100 });
    for (const status of statusesOf(answer)) expect([400, 405]).toContain(status);
    fixture.seen.requests.length = 0;
    expect((await fetch(`${fixture.base}/b`)).status).toBe(200);
    expect(fixture.seen.requests).toHaveLength(1);
  });
});

test.each(['PUT', 'TRACE'])('%s where it is not served is 405, with what is', async (method) => {
  const service = await sharedService();
  const { port } = new URL(service.url);
  const path = '/platform/api/v1/orgs';
  const answer = await sendRaw(Number(port), request(method, path), { quietMs: 200 });
  expect(statusesOf(answer)).toEqual([405]);
  expect(headersOf(answer).get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  expect(bodyOf(answer)).toContain('"code":"method_not_allowed"');
});
