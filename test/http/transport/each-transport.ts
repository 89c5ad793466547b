import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { socketTransport } from '../../../src/http/transport/socket/socket-transport.ts';
import type { Listening, Transport, TransportLimits } from '../../../src/http/transport/transport.ts';
import { unlimitedConnections } from '../../../src/http/transport/unlimited-connections.ts';
import { uwsFault } from '../../../src/http/transport/uws/uws-binding.ts';
import { uwsTransport } from '../../../src/http/transport/uws/uws-transport.ts';
import { Background, silentLog } from '../../../src/platform/index.ts';
import { echoListener, type Seen } from './echo-listener.ts';

/** So long that nothing runs into them, however busy the machine is. */
const patient: TransportLimits = {
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 30_000,
  idleTimeoutMs: 30_000,
  headerBytes: 16_384,
};
/** For what is to run into them. */
export const hasty: TransportLimits = { ...patient, headersTimeoutMs: 1_000, bodyTimeoutMs: 400, idleTimeoutMs: 5_000 };

/** As it runs where Node.js does not give what is below its sockets. */
function publicSocketTransport(limits: TransportLimits): Transport {
  return socketTransport(limits, new Background({ log: silentLog }), unlimitedConnections(), null);
}

const implementations: { name: string; make: (limits: TransportLimits) => Transport | undefined }[] = [
  { name: 'uws', make: uwsTransport },
  { name: 'socket', make: socketTransport },
  { name: 'socket without what is below it', make: publicSocketTransport },
];

/** One server for each test, filled in before it begins. */
export interface Fixture {
  transport: Transport;
  server: Listening;
  seen: Seen;
  base: string;
}

/** Runs the tests on every transport that this version of Node.js has. */
export function describeEachTransport(
  title: string,
  tests: (fixture: Fixture, name: string) => void,
  limits = patient,
): void {
  for (const { name, make } of implementations) {
    const transport = make(limits);
    describe.skipIf(transport === undefined)(`${title} on ${name}${unlessBinary(transport)}`, () => {
      const fixture = { transport } as Fixture;
      beforeEach(async () => {
        const { listener, seen } = echoListener();
        fixture.seen = seen;
        fixture.server = await fixture.transport.listen({ host: '127.0.0.1', port: 0 }, listener);
        fixture.base = `http://127.0.0.1:${fixture.server.port}`;
      });
      afterEach(() => fixture.server.close());
      tests(fixture, name);
    });
  }
}

/** uWebSockets.js has binaries for some versions of Node.js only: why it is missing, for the title. */
export function unlessBinary(transport: Transport | undefined): string {
  return transport === undefined ? ` (skipped: ${uwsFault()})` : '';
}

export async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 2_000 && !condition(); i++) await sleep(10);
  expect(condition()).toBe(true);
}
