import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parsed } from '../../../src/access/guard/credentials.ts';
import { nativeStreams } from '../../../src/http/transport/socket/network/native-streams.ts';
import { until } from '../../http/transport/each-transport.ts';
import { type InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';

const CLIENTS = 12;
/** Heads of a connection are foreseen once it has sent more than sixteen that are all different. */
const ROUNDS = 60;
const SLUGS = ['foreseen-one', 'foreseen-two', 'foreseen-three'];

let service: InProcessService;
let organizations: InProcessOrganization[];
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_LIMIT_RATE_REFUSED: '1000000' });
  organizations = await Promise.all(SLUGS.map((slug) => service.organization(slug)));
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
});

interface Sent {
  readonly headers: string;
  readonly status: number;
}

/** Another key with the same length and the same end, by which keys are found. */
function forged(key: string, place: number): string {
  const at = 'rlt_admin_'.length + place;
  return `${key.slice(0, at)}${key[at] === 'x' ? 'y' : 'x'}${key.slice(at + 1)}`;
}

/** Ways to send the key of an organization, and what the organization with another number answers. */
function sent(key: string, isOwn: boolean, place: number): fc.Arbitrary<Sent> {
  const status = isOwn ? 200 : 401;
  const wrong = forged(key, place);
  return fc.constantFrom<Sent>(
    { headers: `Authorization: ApiKey ${key}\r\n`, status },
    { headers: `authorization: apikey  ${key} \r\n`, status },
    { headers: `AUTHORIZATION: Bearer ${key}\r\n`, status },
    { headers: `X-API-Key: ${key}\r\n`, status },
    { headers: `X-API-Key: ${key}\r\nAuthorization: ApiKey ${key}\r\n`, status },
    { headers: `Authorization: ApiKey ${key}\r\nX-API-Key: ${wrong}\r\n`, status: 401 },
    { headers: `Authorization: ApiKey ${key}\r\nAuthorization: ApiKey ${key}\r\n`, status: 401 },
    { headers: `Authorization: ApiKey ${wrong}\r\n`, status: 401 },
    { headers: `Authorization: ApiKey ${key}x\r\n`, status: 401 },
    { headers: `Authorization: ApiKey x${key}\r\n`, status: 401 },
    { headers: `Authorization: DPoP ${key}\r\n`, status: 401 },
    { headers: 'Authorization: ApiKey\r\n', status: 401 },
    { headers: '', status: 401 },
  );
}

const request = fc
  .record({ of: fc.nat({ max: 2 }), to: fc.nat({ max: 2 }), isOwn: fc.boolean(), place: fc.nat({ max: 10 }) })
  .chain(({ of, to: other, isOwn, place }) => {
    const to = isOwn ? of : other;
    const { key } = organizations[of] as InProcessOrganization;
    return sent(key, of === to, place).map(({ headers, status }) => ({ slug: SLUGS[to] as string, headers, status }));
  });

const native = nativeStreams();

test.skipIf(native === null)('who has come together with others is who it is alone', async () => {
  const looked = vi.spyOn(parsed, 'at');
  const answers: string[] = Array.from({ length: CLIENTS }, () => '');
  for (let client = 0; client < CLIENTS; client++) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    socket.on('data', (data: Buffer) => {
      answers[client] += data.toString('latin1');
    });
  }
  const statuses = (text: string): number[] =>
    [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  const expected: number[][] = answers.map(() => []);
  const rounds = fc.sample(fc.array(request, { minLength: CLIENTS, maxLength: CLIENTS }), ROUNDS);
  for (const [number, requests] of rounds.entries()) {
    for (const [client, { slug, headers, status }] of requests.entries()) {
      const path = `/t/${slug}/api/v1/zanzibar/tuples`;
      sockets[client]?.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Number: ${number}\r\n${headers}\r\n`);
      expected[client]?.push(status);
    }
    await until(() => answers.every((text) => statuses(text).length > number));
  }
  for (const [client, text] of answers.entries()) expect(statuses(text)).toEqual(expected[client]);
  const found = looked.mock.results.filter(({ value }) => value !== undefined).length;
  expect(found).toBeGreaterThan(CLIENTS);
  expect(found).toBeLessThan(looked.mock.results.length);
});
