import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, vi } from 'vitest';
import { type Catalog, catalogs, EventTypes, type StoredEvent } from '../../src/kernel/events/index.ts';
import { eventsOf, modules } from '../../src/server/modules.ts';
import type { InProcessOrganization, InProcessService } from '../identity/sessions/in-process-service.ts';

const types = new EventTypes(eventsOf(modules));

/** Where webhooks of each form are made, and what its secret and the header of its signature are called. */
const forms = {
  a: { base: 'orgs', path: '/admin/webhooks', secret: 'data.data.signingSecret', header: 'x-service-signature' },
  b: { base: 't', path: '/admin/webhooks', secret: 'data.secret', header: 'x-relata-signature' },
  c: { base: 'orgs', path: '/webhooks', secret: 'data.data.secret', header: 'x-service-signature' },
} as const satisfies Readonly<Record<Catalog, object>>;

interface Arrived {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const delivering = new WeakSet<InProcessService>();

/** Starts what runs in the delivery thread, in this one, until the service ends. */
function startDelivery(service: InProcessService): void {
  if (delivering.has(service)) return;
  delivering.add(service);
  const jobs = modules.flatMap(({ jobs = [] }) => jobs).filter(({ thread }) => thread === 'delivery');
  const running = jobs.map((job) => job.start(service.keyDependencies()));
  service.beforeEnd.push(() => Promise.all(running.map((job) => job.stop())));
}

/** A receiver in each form, which gets everything that an organization tells of. */
export class Arrivals {
  readonly #org: InProcessOrganization;
  readonly #secrets: Readonly<Record<Catalog, string>>;
  readonly #arrived: Readonly<Record<Catalog, Arrived[]>>;

  private constructor(
    org: InProcessOrganization,
    secrets: Readonly<Record<Catalog, string>>,
    arrived: Readonly<Record<Catalog, Arrived[]>>,
  ) {
    this.#org = org;
    this.#secrets = secrets;
    this.#arrived = arrived;
  }

  static async of(org: InProcessOrganization): Promise<Arrivals> {
    const arrived: Record<Catalog, Arrived[]> = { a: [], b: [], c: [] };
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const catalog = request.url?.slice(1) as Catalog;
        arrived[catalog].push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    server.unref();
    const { port } = server.address() as AddressInfo;
    const secrets = { a: '', b: '', c: '' };
    for (const catalog of catalogs) {
      const { base, path, secret } = forms[catalog];
      const made = await org.service.call('POST', `/${base}/${org.organization.slug}/api/v1${path}`, {
        key: org.key,
        body: { url: `http://127.0.0.1:${port}/${catalog}`, events: ['*'] },
      });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      secrets[catalog] = made.text(secret);
    }
    startDelivery(org.service);
    return new Arrivals(org, secrets, arrived);
  }

  /** Each of these arrives in each catalog that has it, once, in this order, with signatures that receivers verify. */
  async expect(events: readonly StoredEvent[]): Promise<void> {
    for (const catalog of catalogs) {
      const wanted = events.flatMap((event) => types.payload(catalog, this.#org.organization, event) ?? []);
      const ids = new Set(events.map(({ id }) => id));
      const ofThese = () =>
        this.#arrived[catalog].filter(({ body }) => ids.has((JSON.parse(body) as { id: string }).id));
      await vi.waitFor(() => expect(ofThese().length).toBeGreaterThanOrEqual(wanted.length), {
        timeout: 20_000,
        interval: 20,
      });
      const arrived = ofThese();
      expect(arrived.map(({ body }) => JSON.parse(body))).toEqual(JSON.parse(JSON.stringify(wanted)));
      for (const each of arrived) this.#verify(catalog, each);
    }
  }

  #verify(catalog: Catalog, { headers, body }: Arrived): void {
    const secret = this.#secrets[catalog];
    expect(verifiedBy(secret, String(headers[forms[catalog].header]), body)).toBe(true);
    // the receiver's clock is the one that the test moves
    const now = vi.spyOn(Date, 'now').mockReturnValue(this.#org.service.clock.now());
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
    } finally {
      now.mockRestore();
    }
    const { id, type } = JSON.parse(body) as { readonly id: string; readonly type: string };
    expect(headers['webhook-id']).toBe(id);
    if (catalog !== 'b') expect(headers['x-service-event']).toBe(type);
  }
}

/** All that a receiver needs for the header of the specification. */
function verifiedBy(secret: string, header: string, body: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(header.replace(/^sha256=/, ''));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
