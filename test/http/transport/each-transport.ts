import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { nodeTransport } from '../../../src/http/transport/node/node-transport.ts';
import type { Listening, Transport, TransportLimits } from '../../../src/http/transport/transport.ts';
import { uwsTransport } from '../../../src/http/transport/uws/uws-transport.ts';
import { echoListener, type Seen } from './echo-listener.ts';

const limits: TransportLimits = {
  headersTimeoutMs: 1_000,
  bodyTimeoutMs: 400,
  idleTimeoutMs: 5_000,
  headerBytes: 16_384,
};

const implementations: { name: string; transport: Transport | undefined }[] = [
  { name: 'uws', transport: uwsTransport(limits) },
  { name: 'node', transport: nodeTransport(limits) },
];

/** One server for each test, filled in before it begins. */
export interface Fixture {
  transport: Transport;
  server: Listening;
  seen: Seen;
  base: string;
}

/** Runs the tests on every transport that this version of Node.js has. */
export function describeEachTransport(title: string, tests: (fixture: Fixture) => void): void {
  for (const { name, transport } of implementations) {
    // uWebSockets.js has binaries for some versions of Node.js only; where it has none, the service runs on node:http
    describe.skipIf(transport === undefined)(`${title} on ${name}`, () => {
      const fixture = { transport } as Fixture;
      beforeEach(async () => {
        const { listener, seen } = echoListener();
        fixture.seen = seen;
        fixture.server = await fixture.transport.listen({ host: '127.0.0.1', port: 0 }, listener);
        fixture.base = `http://127.0.0.1:${fixture.server.port}`;
      });
      afterEach(() => fixture.server.close());
      tests(fixture);
    });
  }
}

export async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !condition(); i++) await sleep(10);
  expect(condition()).toBe(true);
}
