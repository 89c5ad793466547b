import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/http/index.ts';
import { digestOf } from '../../src/platform/index.ts';
import { type InProcessOrganization, InProcessService } from '../identity/sessions/in-process-service.ts';
import { platformKey } from '../server/running-service.ts';
import { addressOf, inFamily } from './addresses.ts';
import { type InputField, inputFieldsOf } from './input-fields.ts';
import { sampleOf } from './sample.ts';

/** More than any text of a request may have; what is still accepted then has no bound of its own. */
const FAR = 2 ** 20;

let service: InProcessService;
let organization: InProcessOrganization;
let scimToken: string;
let signalToken: string;
let inputs: readonly { readonly endpoint: Endpoint; readonly field: InputField }[];

beforeAll(async () => {
  const limits = { RELATA_LIMIT_RATE_REFUSED: '0', RELATA_LIMIT_RATE_EXPENSIVE: '0' };
  service = await InProcessService.start(limits, { platformDigest: digestOf(platformKey) });
  organization = await service.organization('bounds');
  scimToken = await provisioningToken();
  signalToken = await receivingToken();
  inputs = service.endpoints.flatMap((endpoint) => inputFieldsOf(endpoint).map((field) => ({ endpoint, field })));
});
afterAll(() => service.stop());

describe('what an endpoint reads has the bounds of the table', () => {
  test('bounds.txt', async () => {
    await expect(`${tableOf(service.endpoints)}\n`).toMatchFileSnapshot('bounds.txt');
  });

  test('what is at its bound is not too large nor too small, and what is one beyond is', () => {
    const wrong = inputs.flatMap(({ endpoint, field }) => {
      const { min, max, path } = field;
      const rows = [
        { value: max, issue: 'too_big', isFault: false },
        { value: max === undefined ? undefined : max + 1, issue: 'too_big', isFault: true },
        { value: min, issue: 'too_small', isFault: false },
        {
          value: min === undefined || (min === 0 && field.kind !== 'number') ? undefined : min - 1,
          issue: 'too_small',
          isFault: true,
        },
      ];
      return rows.flatMap(({ value, issue, isFault }) => {
        const sent = value === undefined ? undefined : ofSize(field, value);
        if (sent === undefined) return [];
        const { error } = field.schema.safeParse(sent);
        const found = error?.issues.some(({ code, path: at }) => code === issue && at.length === 0) ?? false;
        return found === isFault ? [] : [`${nameOf(endpoint)} ${path}: ${value} ${issue}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  test('a request with one too many is refused, and its field named', async () => {
    const wrong: string[] = [];
    let asked = 0;
    const done = new Set<string>();
    for (const { endpoint, field } of inputs) {
      // both families read by one schema
      const name = `${endpoint.method} ${inFamily(endpoint.path)} ${rowOf(field)}`;
      if (done.has(name)) continue;
      done.add(name);
      const fault = await faultOverHttp(endpoint, field);
      if (fault === undefined) continue;
      asked++;
      if (fault !== '') wrong.push(`${nameOf(endpoint)} ${field.path}: ${fault}`);
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(500);
  });

  test('the quick reader of a form knows the same bounds', () => {
    const wrong = inputs.flatMap(({ endpoint: { formReader, ...endpoint }, field: { path, kind, max } }) => {
      const name = path.replace('body.', '');
      if (formReader === undefined || kind !== 'text' || max === undefined || path.endsWith('[]')) return [];
      const read = (length: number) => formReader(`${name}=${'x'.repeat(length)}`, 64)?.[name]?.length;
      // what the schema must decide, such as alternatives, the reader leaves alone
      if (read(1) === undefined) return [];
      return read(max) === max && read(max + 1) === undefined ? [] : [`${endpoint.path} ${path}`];
    });
    expect(wrong).toEqual([]);
  });
});

const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`;

/** A value with so many characters or elements, or just this number. */
function ofSize({ kind, schema }: InputField, size: number): unknown {
  if (kind === 'number') return size;
  if (kind === 'text') return 'x'.repeat(size);
  if (kind === 'record') return undefined;
  const element = sampleOf((schema.def as unknown as { readonly element: typeof schema }).element);
  return element === undefined ? undefined : Array.from({ length: size }, () => element);
}

/** `''` where it is refused as it should be; `undefined` where nothing is asked. */
async function faultOverHttp(endpoint: Endpoint, field: InputField): Promise<string | undefined> {
  const { path, max, around } = field;
  const [place = ''] = path.split(/[.[]/);
  const value = max === undefined ? undefined : ofSize(field, max + 1);
  if (value === undefined || place === 'path' || endpoint.bodyForm === 'bytes') return undefined;
  const sent = around(value);
  const isForm = endpoint.bodyForm === 'form';
  // parameters of URLs and forms are flat
  if ((place === 'query' || isForm) && path.endsWith('[]')) return undefined;
  const url = addressOf(endpoint, organization.organization.slug) + (place === 'query' ? `?${parameters(sent)}` : '');
  const answer = await service.call(endpoint.method, url, {
    key: credentialFor(endpoint),
    ...(place === 'query' ? {} : { body: isForm ? parameters(sent) : sent }),
    ...(isForm && place === 'body' ? { headers: { 'content-type': 'application/x-www-form-urlencoded' } } : {}),
  });
  const name = (place === 'query' ? path : path.replace(/^body\.?/, ''))
    .replaceAll('[]', '[0]')
    .replaceAll('*', 'name');
  const said = typeof answer.body === 'string' ? name : JSON.stringify(answer.body);
  return answer.status === 400 && said.includes(name) ? '' : `${answer.status} ${said.slice(0, 300)}`;
}

function credentialFor({ access }: Endpoint): string | undefined {
  if (typeof access === 'object' && 'scope' in access) return access.scope === 'scim' ? scimToken : signalToken;
  if (access === 'public') return undefined;
  return access === 'platform' ? platformKey : organization.key;
}

async function provisioningToken(): Promise<string> {
  const admin = `/orgs/${organization.organization.slug}/api/v1/admin/settings/scim`;
  const { key } = organization;
  await service.call('PATCH', admin, { key, body: { enabled: true } });
  const made = await service.call('POST', `${admin}/tokens`, { key, body: { name: 'bounds' } });
  return String(made.at('data.data.token'));
}

async function receivingToken(): Promise<string> {
  const base = `/orgs/${organization.organization.slug}/api/v1`;
  const client = { name: 'bounds', grantTypes: ['client_credentials'], scopes: ['ssf.manage'] };
  const made = await service.call('POST', `${base}/admin/clients`, { key: organization.key, body: client });
  const [id, secret] = [String(made.at('data.data.clientId')), String(made.at('data.data.clientSecret'))];
  const issued = await service.call('POST', `${base}/oauth/token`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: parameters({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  });
  return String(issued.at('access_token'));
}

function parameters(values: unknown): string {
  const pairs = Object.entries(values as object).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(pairs).toString();
}

/** One section for what both families read alike. */
function tableOf(endpoints: readonly Endpoint[]): string {
  const sections = new Map<string, string[]>();
  for (const endpoint of endpoints) {
    const lines = [...new Set(inputFieldsOf(endpoint).map(rowOf))].join('\n');
    if (lines === '') continue;
    const name = `${endpoint.method} ${inFamily(endpoint.path)}`;
    const family = endpoint.path.startsWith('/t/') ? 'tenant' : 'org';
    const key = `${name}\n${lines}`;
    sections.set(key, [...(sections.get(key) ?? []), family]);
  }
  return [...sections]
    .map(([key, families]) => {
      const [name, ...lines] = key.split('\n');
      const isApi = families.length === 1 && !name?.includes(' /orgs/') && !name?.includes(' /platform/');
      return [`${name}${isApi ? ` (${families[0]})` : ''}`, ...lines].join('\n');
    })
    .toSorted()
    .join('\n\n');
}

function rowOf({ path, kind, min, max, form, schema }: InputField): string {
  const formed = form === undefined ? '' : ` of the form ${form}`;
  if (min !== undefined || max !== undefined) return `  ${path} ${kind} ${min ?? 0}..${max ?? ''}${formed}`;
  if (kind === 'record') return `  ${path} ${kind} ${recordBound(schema)}`;
  return `  ${path} ${kind}${formed === '' ? ' without a bound of its own' : formed}`;
}

/** How long one text in it may be. */
function recordBound(schema: InputField['schema']): string {
  const isGood = (length: number) => schema.safeParse({ name: 'x'.repeat(length) }).success;
  if (!isGood(0)) return 'of its values';
  if (isGood(FAR)) return 'without a bound of its own';
  let [low, high] = [0, FAR];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isGood(middle)) low = middle;
    else high = middle;
  }
  return `with one text ..${low}`;
}
