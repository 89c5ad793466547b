import { randomInt } from 'node:crypto';
import { RunningService } from '../../server/running-service.ts';
import { Receiver, until } from './receiver.ts';

const environment = {
  RELATA_ALLOW_PRIVATE_URLS: '1',
  RELATA_DEMO: '0',
  RELATA_THREADS: '1',
  RELATA_LOG_LEVEL: 'error',
  RELATA_PLATFORM_KEY: 'platform-key-of-the-tests-0123456789',
};

export interface KillsReport {
  /** Users that were acknowledged, in the order of their events; by webhook, those that came, in order of first arrival. */
  readonly made: readonly string[];
  readonly arrived: readonly (readonly string[])[];
  /** Deliveries that came more than once. */
  readonly repeated: number;
  /** A delivery's `webhook-id`s, by user: more than one would be a delivery that changed its id. */
  readonly idsOfOne: number;
}

const WEBHOOKS = 3;
/** In one request at a time, so that their order is known. */
const CREATED_BETWEEN = 20;

/** Kills the built service again and again while it delivers events to webhooks, and starts it anew each time. */
export async function killWhileDelivering(kills: number, events: number): Promise<KillsReport> {
  const receiver = await Receiver.start();
  const paths = Array.from({ length: WEBHOOKS }, (_, place) => `/${place}`);
  // not at once, so that something is under way at each kill
  for (const path of paths) receiver.behaviours.set(path, (_, answer) => void setTimeout(() => answer.end(), 2));
  let service = await RunningService.start(environment);
  try {
    const { key, slug } = await service.organization('killed');
    for (const path of paths) {
      const body = { url: receiver.url(path), events: ['user.created'] };
      const made = await service.call('POST', `/t/${slug}/api/v1/admin/webhooks`, { key, body });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    }
    const made: string[] = [];
    const create = async (): Promise<void> => {
      const email = `user-${made.length}@example.test`;
      const answer = await service.call('POST', `/t/${slug}/api/v1/admin/users`, { key, body: { email } });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      made.push(email);
    };
    const ofEach = Math.max(CREATED_BETWEEN, Math.ceil(events / (kills + 1)));
    for (let kill = 0; kill < kills; kill++) {
      for (let count = 0; count < ofEach; count++) await create();
      await new Promise((resolve) => setTimeout(resolve, randomInt(60)));
      await service.stop('SIGKILL');
      service = await RunningService.start(environment, service.folder);
    }
    for (let count = 0; count < ofEach; count++) await create();
    const last = made.at(-1) ?? '';
    await until(() => paths.every((path) => receiver.at(path).some(({ body }) => body.includes(last))), 120_000);
    return reportOf(receiver, paths, made);
  } finally {
    await service.stop('SIGKILL');
    await receiver.stop();
  }
}

function reportOf(receiver: Receiver, paths: readonly string[], made: readonly string[]): KillsReport {
  const userOf = (body: string): string => /user-\d+@example\.test/.exec(body)?.[0] ?? '';
  const ids = new Map<string, Set<string>>();
  for (const { id, body } of receiver.received) ids.set(userOf(body), (ids.get(userOf(body)) ?? new Set()).add(id));
  const arrived = paths.map((path) => [...new Set(receiver.at(path).map(({ body }) => userOf(body)))]);
  return {
    made,
    arrived,
    repeated: receiver.received.length - arrived.flat().length,
    idsOfOne: Math.max(...[...ids.values()].map(({ size }) => size)),
  };
}
