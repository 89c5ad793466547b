import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Application, endpointFor, json } from '../../../src/http/index.ts';
import type { IncomingRequest } from '../../../src/http/transport/transport.ts';
import { addressList, RequestClock, silentLog } from '../../../src/platform/index.ts';

/** A clock that goes on by one at each look. */
function scene() {
  let time = 0;
  const clock = new RequestClock({ now: () => ++time });
  const endpoint = endpointFor<never>();
  const described = { method: 'GET', tags: [], access: 'public', responses: { 200: z.unknown() } } as const;
  const endpoints = [
    endpoint({ ...described, path: '/twice', summary: 'x', handler: () => json(200, [clock.now(), clock.now()]) }),
    endpoint({
      ...described,
      path: '/late',
      summary: 'x',
      async handler() {
        const before = clock.now();
        await Promise.resolve();
        return json(200, [before, clock.now(), clock.now()]);
      },
    }),
    endpoint({
      ...described,
      path: '/fails',
      summary: 'x',
      handler() {
        clock.now();
        throw new Error('broken');
      },
    }),
  ];
  const application = new Application({
    endpoints,
    clock,
    guard: { authenticate: () => undefined as never, authorize: () => undefined },
    limits: { bodyBytes: 100, jsonDepth: 4, queryParameters: 4, validationErrors: 3 },
    requestId: () => 'id',
    trustedProxies: addressList([]),
    log: silentLog,
  });
  const ask = async (path: string): Promise<unknown> => {
    const request = { method: 'GET', path, query: '', header: () => '', peerAddress: () => '', body: Buffer.alloc(0) };
    application.accept(request as unknown as IncomingRequest);
    const { body } = await application.handle(request as unknown as IncomingRequest);
    return JSON.parse(String(body));
  };
  return { clock, ask };
}

describe('the clock of a thread that answers', () => {
  test('stands still while a request is answered, and is read anew for the next one', async () => {
    const { ask } = scene();
    expect(await ask('/twice')).toEqual([1, 1]);
    expect(await ask('/twice')).toEqual([2, 2]);
  });

  test('goes on behind the first wait of a request', async () => {
    const { ask } = scene();
    expect(await ask('/late')).toEqual([1, 2, 3]);
  });

  test('goes on after a request that failed', async () => {
    const { clock, ask } = scene();
    expect(await ask('/fails')).toMatchObject({ status: 500 });
    expect([clock.now(), clock.now()]).toEqual([2, 3]);
  });

  test('is not read by a request that does not ask for it', () => {
    let looks = 0;
    const clock = new RequestClock({ now: () => ++looks });
    clock.hold();
    clock.release();
    expect(looks).toBe(0);
  });
});
