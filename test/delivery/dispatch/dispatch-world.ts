import {
  type DeliveryEntry,
  Dispatcher,
  type DispatcherDependencies,
  deliveryRecords,
  type SubscriptionState,
  served,
  subscriptionStateRecords,
} from '../../../src/delivery/dispatch/index.ts';
import { webhookChannel } from '../../../src/delivery/webhooks/index.ts';
import { EventTypes, eventRecords } from '../../../src/kernel/events/index.ts';
import { OutboundClient, OutboundGuard } from '../../../src/platform/index.ts';
import { eventsOf, modules } from '../../../src/server/modules.ts';
import { InProcessService } from '../../identity/sessions/in-process-service.ts';
import { type Behaviour, Receiver } from './receiver.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const types = new EventTypes(eventsOf(modules));
const channel = served(webhookChannel(() => types));
const exampleOf = (type: string) => types.all.find((each) => each.type === type)?.example as Record<string, unknown>;

export type World = Awaited<ReturnType<typeof startWorld>>;

/**
 * A service in this process, a receiver, and dispatchers whose time is the test's.
 * @param timeoutMs of an attempt, for which the service waits 30 seconds
 */
export async function startWorld(
  timeoutMs: number,
  given: Partial<DispatcherDependencies> = {},
  environment: Readonly<Record<string, string>> = {},
) {
  const service = await InProcessService.start({ RELATA_ALLOW_PRIVATE_URLS: '1', ...environment });
  const receiver = await Receiver.start();
  const client = new OutboundClient(new OutboundGuard(true), { perHost: 256 });
  const services = service.keyDependencies();
  let events = 0;

  const newDispatcher = (): Dispatcher =>
    new Dispatcher({
      ...services,
      channels: [channel.serve(services)],
      send: (request) => client.request({ ...request, timeoutMs }),
      meter: { made: () => {}, waiting: () => {}, missed: () => {} },
      random: () => 0.5,
      ...given,
    });

  type Organization = Awaited<ReturnType<typeof service.organization>>;

  /** A webhook for new users, at a path of the receiver of its own. */
  async function webhook(of: Organization, path: string, behaviour?: Behaviour): Promise<string> {
    if (behaviour !== undefined) receiver.behaviours.set(path, behaviour);
    const body = { url: receiver.url(path), events: ['user.created'] };
    const answer = await service.call('POST', `/t/${of.organization.slug}/api/v1/admin/webhooks`, {
      key: of.key,
      body,
    });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.text('data.id');
  }

  /** Events of new users, or of another type, in one commit each. Answers their ids. */
  async function happen(
    { organization: { store } }: Organization,
    count: number,
    type = 'user.created',
    data: object = exampleOf(type),
  ): Promise<string[]> {
    const ids = Array.from({ length: count }, () => `event-${++events}`);
    for (const id of ids) {
      await service.submit([
        eventRecords.append(store, { id, type, createdAt: service.clock.now(), data: { ...data } }),
      ]);
    }
    return ids;
  }

  /** Looks until nothing is under way and nothing more comes. */
  async function settle(dispatcher: Dispatcher): Promise<void> {
    await dispatcher.follow();
    await dispatcher.look();
    for (let quiet = 0, seen = -1; quiet < 4; quiet = receiver.received.length === seen ? quiet + 1 : 0) {
      seen = receiver.received.length;
      await dispatcher.idle();
      await new Promise((resolve) => setTimeout(resolve, 40));
      await dispatcher.follow();
    }
  }

  function deliveries({ organization: { store } }: Organization): DeliveryEntry[] {
    return service.read(() => [...deliveryRecords.all(store)]);
  }

  function state({ organization: { store } }: Organization, id: string): SubscriptionState | undefined {
    return service.read(() => subscriptionStateRecords.get(store, `webhook:${id}`)?.document);
  }

  return {
    service,
    receiver,
    newDispatcher,
    webhook,
    happen,
    settle,
    deliveries,
    state,
    async stop() {
      client.close();
      await receiver.stop();
      await service.stop();
    },
  };
}
