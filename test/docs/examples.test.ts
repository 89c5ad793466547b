import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestExamples } from '../../src/server/reference/examples/index.ts';
import { SmtpInbox } from '../platform/smtp-inbox.ts';
import { type Answer, RunningService } from '../server/running-service.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly example?: string;
}

interface Described {
  readonly 'x-name': string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Operation extends Described {
  readonly method: string;
  readonly path: string;
}

/** Areas of which every operation has an example that is sent. */
const areas = [
  'Authorization checks',
  'Relationships',
  'Tuples',
  'Models',
  'Users',
  'Roles',
  'Permissions',
  'Groups',
  'API keys',
  'Agents',
  'Webhooks',
];

/** What cannot be sent as the administrator of the demonstration, and why. */
const without: Readonly<Record<string, string>> = {
  watchTuples: 'never ends',
  unlinkUserIdentity: 'an identity is made by signing in',
  disconnectUserApplication: 'an application is connected by signing in',
  getOwnAgent: 'is for agents',
};

/** Ids that the service makes: the operation whose answer has them. */
const makers: Readonly<Record<string, readonly string[]>> = {
  keyId: ['createApiKey'],
  agentId: ['createAgent'],
  webhookId: ['createWebhook', 'createSubscription'],
  deliveryId: ['testWebhook', 'testSubscription'],
  replayId: ['replayWebhook', 'replaySubscription'],
  modelId: ['writeModel'],
};

let inbox: SmtpInbox;
beforeAll(async () => {
  inbox = await SmtpInbox.open();
});
afterAll(() => inbox.close());

async function operationsOf(service: RunningService): Promise<Operation[]> {
  const { body } = await service.call('GET', '/openapi.json');
  const { paths } = body as { paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ ...described, path, method: method.toUpperCase() })),
  );
}

/** The request as the reference shows it, with the ids that the service has made. */
function requestOf(operation: Operation, ids: ReadonlyMap<string, string>): { url: string; body?: unknown } {
  const { parameters = [], requestBody } = operation;
  const values = new Map(parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const isOrganization = name === 'tenant' || name === 'orgId';
    return encodeURIComponent(isOrganization ? 'demo' : (values.get(name) ?? ids.get(name) ?? `no ${name}`));
  });
  const query = parameters.filter((each) => each.in === 'query' && each.example !== undefined);
  const search = new URLSearchParams(query.map(({ name, example = '' }) => [name, example])).toString();
  const body = Object.values(requestBody?.content ?? {})[0]?.example;
  return { url: `${path}${search === '' ? '' : `?${search}`}`, ...(body === undefined ? {} : { body }) };
}

function keepIds(ids: Map<string, string>, name: string, answer: Answer): void {
  const id = answer.at('data.id') ?? answer.at('data.data.id') ?? answer.at('id');
  for (const [parameter, names] of Object.entries(makers)) {
    if (names.includes(name) && id !== undefined) ids.set(parameter, String(id));
  }
}

describe.each(['t', 'orgs'])('the examples of the reference, below /%s', (family) => {
  test('are answered as documented by a new demonstration, one after the other', { timeout: 180_000 }, async () => {
    const service = await RunningService.start({ RELATA_THREADS: '1', RELATA_DEMO: '1', RELATA_SMTP_URL: inbox.url });
    try {
      const key = service.demoKey === '' ? /API key: (\S+)/.exec(service.output())?.[1] : service.demoKey;
      const operations = (await operationsOf(service)).filter(({ path }) => path.startsWith(`/${family}/`));
      const ids = new Map<string, string>();
      const sent: string[] = [];
      const wrong: string[] = [];
      for (const name of Object.keys(requestExamples)) {
        const operation = operations.find((each) => each['x-name'] === name);
        if (operation === undefined) continue;
        const { url, body } = requestOf(operation, ids);
        const answer = await service.call(operation.method, url, { key, body });
        keepIds(ids, name, answer);
        sent.push(name);
        const isGood = answer.status < 300 && String(answer.status) in operation.responses;
        if (!isGood) wrong.push(`${name}: ${operation.method} ${url}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      expect(wrong).toEqual([]);
      expect(sent.length).toBeGreaterThan(80);
      // and all of these areas have one
      const due = operations.filter(({ tags: [tag = ''] }) => areas.includes(tag)).map((each) => each['x-name']);
      expect(due.filter((name) => !sent.includes(name) && !(name in without))).toEqual([]);
    } finally {
      await service.remove();
    }
  });
});
