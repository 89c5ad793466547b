import { describe, expect, test } from 'vitest';
import { WebhookMessages } from '../../../src/delivery/webhooks/channel/webhook-message.ts';
import type { WebhookRecord } from '../../../src/delivery/webhooks/records/webhook-record.ts';
import type { StoredEvent } from '../../../src/kernel/events/index.ts';
import { EventTypes } from '../../../src/kernel/events/index.ts';
import type { Organization } from '../../../src/kernel/organizations/index.ts';
import { eventsOf, modules } from '../../../src/server/modules.ts';

const types = new EventTypes(eventsOf(modules));
const messages = new WebhookMessages(() => types);
const organization = { id: 'o1', slug: 'acme' } as Organization; // what payloads tell of it
const clientCreated = types.all.find(({ type }) => type === 'client.created');
const event = (type: string, data: object): StoredEvent => ({
  id: 'e1',
  type,
  createdAt: Date.parse('2026-01-02T03:04:05.006Z'),
  data: data as StoredEvent['data'],
});
const example = event('client.created', clientCreated?.example ?? {});
const about = types.about(example);

const webhook = (changes: Partial<WebhookRecord>): WebhookRecord => ({
  form: 'a',
  url: 'https://receiver.example/',
  description: '',
  events: ['*'],
  resources: [],
  payload: 'full',
  headers: [],
  secrets: [],
  isActive: true,
  createdAt: 0,
  createdBy: 'platform',
  updatedAt: 0,
  ...changes,
});

describe('a message', () => {
  test.each<{ name: string; changes: Partial<WebhookRecord>; type: string | undefined }>([
    { name: 'of any event', changes: {}, type: 'client.created' },
    { name: 'by its name', changes: { events: ['user.login', 'client.created'] }, type: 'client.created' },
    { name: 'by the name in another catalog', changes: { form: 'c', events: ['app.created'] }, type: 'app.created' },
    { name: 'of another event', changes: { events: ['client.deleted'] }, type: undefined },
    { name: 'by a name of another catalog', changes: { form: 'c', events: ['client.created'] }, type: undefined },
    { name: 'in a catalog without it', changes: { form: 'b' }, type: undefined },
    { name: 'about a resource', changes: { resources: ['user:42', about[0] ?? ''] }, type: 'client.created' },
    { name: 'about another resource', changes: { resources: ['user:42'] }, type: undefined },
  ])('$name', ({ changes, type }) => {
    expect(messages.of(organization, webhook(changes), example)?.type).toBe(type);
  });

  test('has the body of its catalog, or ids alone', () => {
    const full = messages.of(organization, webhook({}), example);
    expect(JSON.parse(full?.payload ?? '')).toEqual({
      id: 'e1',
      type: 'client.created',
      orgId: 'o1',
      createdAt: '2026-01-02T03:04:05.006Z',
      data: clientCreated?.example,
    });
    expect(full).toMatchObject({ resources: about, contentType: 'application/json' });
    const thin = messages.of(organization, webhook({ form: 'c', payload: 'thin' }), example);
    expect(JSON.parse(thin?.payload ?? '')).toEqual({
      id: 'e1',
      type: 'app.created',
      timestamp: '2026-01-02T03:04:05.006Z',
      organization: 'acme',
      resources: about,
    });
  });

  test('is none where this version does not know the event', () => {
    expect(messages.of(organization, webhook({}), event('user.teleported', {}))).toBeUndefined();
  });
});
