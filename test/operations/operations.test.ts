import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SmtpInbox } from '../platform/smtp-inbox.ts';
import { type Organization, platformKey, RunningService } from '../server/running-service.ts';
import type { Example } from './example.ts';
import { decisionModel, decisionTuples } from './examples/decisions.ts';
import { examples } from './examples/index.ts';
import { type Document, type Operation, operationsOf } from './operations.ts';
import { exampleOf, familyOf, Player, sent } from './player.ts';

let inbox: SmtpInbox;
let service: RunningService;
let document: Document;
let operations: Operation[];
let organization: Organization;
/** A key of the organization that may do nothing. */
let powerless: string;
let player: Player;

beforeAll(async () => {
  inbox = await SmtpInbox.open();
  service = await RunningService.start({
    RELATA_THREADS: '1',
    RELATA_SMTP_URL: inbox.url,
    RELATA_ALLOW_PRIVATE_URLS: '1',
    // each operation refuses some credentials, all from one address
    RELATA_LIMIT_RATE_REFUSED: '100000',
  });
  document = (await service.call('GET', '/openapi.json')).body as Document;
  operations = operationsOf(document);
  organization = await service.organization('walk');
  const written = await organization.post('/zanzibar/models', { dsl: decisionModel });
  expect(written.status).toBe(201);
  await organization.write(...decisionTuples);
  powerless = (await organization.newKey({})).key;
  player = new Player(service, organization);
  await player.begin();
});
afterAll(async () => {
  await service.remove();
  await inbox.close();
});

const nameOf = (operation: Operation) => `${operation.method} ${operation.path}`;

/** Goes through all operations that `applies` and reports every one that is not as it should be. */
async function each(
  applies: (operation: Operation) => boolean,
  judge: (operation: Operation) => Promise<string | undefined>,
): Promise<void> {
  const wrong: string[] = [];
  const walked = operations.filter(applies);
  for (const operation of walked) {
    const reason = await judge(operation);
    if (reason !== undefined) wrong.push(`${nameOf(operation)}: ${reason}`);
  }
  expect(wrong).toEqual([]);
  expect(walked.length).toBeGreaterThan(0);
}

async function expectStatus(
  operation: Operation,
  options: { key?: string | undefined; body?: unknown; query?: string; type?: string },
  status: number,
  code?: string,
): Promise<string | undefined> {
  const { key, body, query, type } = options;
  const answer = await service.call(operation.method, player.url(operation, query === undefined ? {} : { query }), {
    key,
    body,
    ...(type === undefined ? {} : { headers: { 'content-type': type } }),
  });
  const isSaid = answer.at('detail') === undefined || answer.at('detail') !== answer.at('title');
  const isRight = isSaid && answer.status === status && (code === undefined || answer.at('code') === code);
  return isRight ? undefined : `${answer.status} ${JSON.stringify(answer.body)}`;
}

describe('every operation of the OpenAPI document', () => {
  test('has an example, and every example an operation', () => {
    const known = new Set(operations.flatMap((each) => [each.name, `${familyOf(each)} ${each.name}`]));
    expect(operations.filter((each) => exampleOf(each) === undefined).map(nameOf)).toEqual([]);
    expect(Object.keys(examples).filter((name) => !known.has(name))).toEqual([]);
  });

  test('refuses who shows no credential, or one that is not valid', async () => {
    await each(
      ({ access }) => access !== 'public',
      async (operation) => {
        const code = operation.isScim ? undefined : 'unauthenticated';
        return (
          (await expectStatus(operation, { key: undefined }, 401, code)) ??
          (await expectStatus(operation, { key: `${organization.key}x` }, 401, code))
        );
      },
    );
  });

  test('refuses a credential without its permission', async () => {
    await each(
      ({ access }) => access.startsWith('permission '),
      (operation) => expectStatus(operation, { key: powerless }, 403, 'forbidden'),
    );
  });

  test('of SCIM opens to no other credential', async () => {
    await each(
      ({ access }) => access === 'scope scim',
      async (operation) =>
        (await expectStatus(operation, { key: organization.key }, 401)) ??
        (await expectStatus(operation, { key: platformKey }, 401)),
    );
  });

  test('is for the platform alone where it says so', async () => {
    await each(
      ({ access }) => access === 'platform',
      (operation) => expectStatus(operation, { key: organization.key }, 401),
    );
  });

  test('refuses a body that is no JSON, or of another type', async () => {
    // some speak in the errors of their protocol: what is public in test/protocols/oauth, SCIM in test/malformed, MCP in
    // test/access/mcp
    const isJson = ({ accepts, access, isScim, path }: Operation) =>
      access !== 'public' && !isScim && !path.endsWith('/mcp') && accepts.some((type) => type.includes('json'));
    await each(isJson, async (operation) => {
      const [type = ''] = operation.accepts;
      const key = player.keyFor(operation);
      return (
        (await expectStatus(operation, { key, body: '{"a":', type }, 400, 'malformed_json')) ??
        (await expectStatus(operation, { key, body: '{"__proto__":{}}', type }, 400)) ??
        (await expectStatus(operation, { key, body: '7', type }, 400, 'invalid_request')) ??
        (await expectStatus(operation, { key, body: '{"no such field":1}', type }, 400, 'invalid_request')) ??
        (await expectStatus(operation, { key, body: '{}', type: 'text/html' }, 415))
      );
    });
  });

  test('says what is not there, where a path names what does not exist', async () => {
    const isNamed = ({ path, access, isScim, method }: Operation) =>
      access.startsWith('permission ') && !isScim && method !== 'PUT' && /\{(?!tenant|orgId)/.test(path);
    await each(isNamed, async (operation) => {
      const type = operation.accepts[0] ?? 'application/json';
      const answer = await service.call(operation.method, player.url(operation, {}), {
        key: organization.key,
        ...(operation.isBodyRequired ? { body: '{}', headers: { 'content-type': type } } : {}),
      });
      if (answer.status === 200 || answer.status === 204) return undefined;
      const said = answer.text('detail');
      if (said === answer.text('title')) return JSON.stringify(answer.body);
      return answer.status !== 404 || /unknown/.test(said) ? undefined : JSON.stringify(answer.body);
    });
  });

  test('refuses a query parameter that it does not know', async () => {
    await each(
      // what the protocols do not know they ignore (RFC 6749, 3.1; RFC 7644, 3.4.2)
      ({ hasQuery, path, isScim }) => hasQuery && !isScim && !/\/oauth\/(?:authorize|social|end_session)/.test(path),
      (operation) =>
        expectStatus(operation, { key: player.keyFor(operation), query: '?no_such=1' }, 400, 'invalid_request'),
    );
  });

  test('answers its example as its schema says', async () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
    ajv.addSchema({ $id: 'doc', components: document.components });
    await each(
      () => true,
      async (operation) => {
        const example = await exampleOf(operation)?.(player.worldOf(operation));
        if (example === undefined) return 'no example';
        if (example.isEndless) return headOnly(player.url(operation, example), player.keyFor(operation));
        if (example.isRedirect) return redirectOnly(operation, example);
        const answer = await service.call(operation.method, player.url(operation, example), {
          key: player.keyFor(operation),
          ...sent(example),
        });
        const described = operation.responses[String(answer.status)];
        const said = `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 600)}`;
        if (example.isUnsupported === true) return answer.status === 501 ? undefined : said;
        if (example.needsPerson === true) return answer.status === 403 ? undefined : said;
        if (example.needsSignIn === true) return answer.status === 404 ? undefined : said;
        if (answer.status >= 300 || described === undefined) return said;
        const type = /^[\w/.+-]+/.exec(answer.headers.get('content-type') ?? '')?.[0] ?? '';
        const content = described.content?.[type];
        if (content === undefined && described.content !== undefined) return `${type} is not described: ${said}`;
        if (content?.schema === undefined || !type.endsWith('json')) return undefined;
        const { schema } = content;
        const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components'));
        const validate = ajv.compile(local);
        return validate(answer.body) ? undefined : `${ajv.errorsText(validate.errors)}: ${said}`;
      },
    );
  }, 300_000);
});

async function redirectOnly(operation: Operation, example: Example): Promise<string | undefined> {
  const { body, headers } = sent(example);
  const response = await fetch(service.url + player.url(operation, example), {
    method: operation.method,
    redirect: 'manual',
    headers,
    ...(body === undefined ? {} : { body: String(body) }),
  });
  const isDescribed = operation.responses['303'] !== undefined;
  return response.status === 303 && isDescribed ? undefined : `${response.status} ${await response.text()}`;
}

async function headOnly(path: string, key: string | undefined): Promise<string | undefined> {
  const controller = new AbortController();
  const response = await fetch(service.url + path, {
    headers: { authorization: `Bearer ${key}` },
    signal: controller.signal,
  });
  controller.abort();
  return response.status === 200 ? undefined : String(response.status);
}
