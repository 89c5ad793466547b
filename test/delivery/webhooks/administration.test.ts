import { describe, expect, test } from 'vitest';
import { scene } from '../../security/organizations.ts';
import { expectRefusals, time, uuid } from '../../server/in-family.ts';
import { forms, InForm } from './in-form.ts';

const on = scene();
const url = 'https://receiver.example/hook?key=in-the-url';
const made = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);

describe.each(forms)('webhooks of form $form', (form) => {
  const here = () => new InForm(on.org, form);
  const body = { url, events: ['user.created', 'token.issued'], description: 'The warehouse' };
  const shown = {
    id: uuid,
    ...body,
    [form.active]: true,
    resources: [],
    payload: 'full',
    headers: {},
    authentication: null,
    asymmetric: false,
    publicKeys: [],
    secrets: [{ createdAt: time, expiresAt: null }],
    disabledReason: null,
    disabledAt: null,
    failureCount: 0,
    deliveredCount: 0,
    failedCount: 0,
    lastDeliveredAt: null,
    lastFailedAt: null,
    createdBy: expect.stringMatching(/^api_key:/),
    createdAt: time,
    updatedAt: time,
  };

  test('are created, read, listed, changed and deleted', async () => {
    const admin = here();
    const created = await admin.call('POST', '', body);
    expect(created.status).toBe(201);
    expect(created.body).toEqual(admin.created({ ...shown, [form.secret]: made }));
    const { id } = created.at(form.data) as { id: string };
    expect((await admin.call('GET', `/${id}`)).body).toEqual(admin.wrapped(shown));
    const other = await admin.make('POST', '', { url: 'https://other.example/', events: ['*'], [form.active]: false });
    expect(other).toMatchObject({ [form.active]: false, disabledReason: 'administrator', disabledAt: time });
    const list = await admin.call('GET', '?search=WAREhouse');
    expect(list.status).toBe(200);
    expect(JSON.stringify(list.body)).toContain('"total":1');
    expect(JSON.stringify((await admin.call('GET')).body)).toContain('"total":2');
    for (const [method, changes] of [
      ['PUT', { description: 'x', events: ['*'], id: 'ignored', createdAt: 'ignored' }],
      ['PATCH', { description: '', resources: ['user:42'], payload: 'thin' }],
    ] as const) {
      const { id: _, createdAt: __, ...written } = { id: '', createdAt: '', ...changes };
      expect(await admin.make(method, `/${id}`, changes)).toMatchObject(written);
      expect((await admin.call('GET', `/${id}`)).at(form.data)).toMatchObject({ url, ...written });
    }
    expect((await admin.call('DELETE', `/${id}`)).status).toBe(204);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      expect((await admin.call(method, `/${id}`, method.startsWith('P') ? {} : undefined)).status).toBe(404);
    }
    for (const path of ['enable', 'disable', 'rotate-secret']) {
      expect((await admin.call('POST', `/${id}/${path}`)).status).toBe(404);
    }
  });

  test('are switched off and on, which is audited, and what is so already stays', async () => {
    const admin = here();
    const { id } = await admin.make('POST', '', body);
    expect(await admin.make('POST', `/${id}/disable`)).toMatchObject({
      [form.active]: false,
      disabledReason: 'administrator',
    });
    expect(await admin.make('POST', `/${id}/disable`)).toMatchObject({ [form.active]: false });
    expect(await admin.make('POST', `/${id}/enable`)).toMatchObject({ ...shown, updatedAt: time });
    expect(await admin.make('PATCH', `/${id}`, { [form.active]: false })).toMatchObject({ [form.active]: false });
    const log = await on.org.call('GET', '/admin/audit-logs?limit=100');
    const actions = JSON.stringify(log.body).match(/webhook\.\w+/g);
    expect(actions?.toSorted()).toEqual(['webhook.create', 'webhook.disable', 'webhook.enable', 'webhook.update']);
    expect(JSON.stringify(log.body)).not.toContain('in-the-url');
  });

  test('a secret is shown when it is made and when it is replaced, and never again', async () => {
    const admin = here();
    const first = await admin.make('POST', '', { ...body, asymmetric: true });
    expect(first.publicKeys).toEqual([expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/)]);
    const second = await admin.make('POST', `/${first.id}/rotate-secret`);
    expect(second).toMatchObject({
      [form.secret]: made,
      secrets: [
        { createdAt: time, expiresAt: null },
        { createdAt: time, expiresAt: time },
      ],
      publicKeys: [expect.any(String), (first.publicKeys as string[])[0]],
    });
    expect(second[form.secret]).not.toBe(first[form.secret]);
    const [, old] = second.secrets as { expiresAt: string }[];
    expect(Math.abs(Date.parse(old?.expiresAt ?? '') - Date.now() - 86_400_000)).toBeLessThan(60_000);
    const third = await admin.make('POST', `/${first.id}/rotate-secret`, {
      expireOldAfterSeconds: 0,
      secret: 'one of my own',
    });
    expect(third).toMatchObject({ [form.secret]: 'one of my own', secrets: [{ expiresAt: null }] });
    for (const path of ['', `/${first.id}`]) {
      const text = JSON.stringify((await admin.call('GET', path)).body);
      expect(text).not.toMatch(/whsec_|one of my own/);
    }
    expect(JSON.stringify((await on.org.call('GET', '/admin/audit-logs')).body)).not.toMatch(/whsec_|one of my own/);
  });

  test("a receiver's headers and credentials are masked, and stay where they are sent back so", async () => {
    const admin = here();
    const { id } = await admin.make('POST', '', {
      ...body,
      headers: { 'X-Team': 'red-secret' },
      authentication: {
        type: 'oauth',
        tokenUrl: 'https://idp.example/token',
        clientId: 'me',
        clientSecret: 'oauth-secret',
        scope: 'hook',
      },
    });
    const masked = {
      headers: { 'x-team': '********' },
      authentication: {
        type: 'oauth',
        tokenUrl: 'https://idp.example/token',
        clientId: 'me',
        clientSecret: '********',
        scope: 'hook',
      },
    };
    const read = await admin.call('GET', `/${id}`);
    expect(read.at(form.data)).toMatchObject(masked);
    expect(await admin.make('PUT', `/${id}`, read.at(form.data))).toMatchObject(masked);
    await expectRefusals(
      (changes) => admin.call('PATCH', `/${id}`, changes),
      [
        { name: 'another host', body: { url: 'https://thief.example' }, status: 422, path: 'headers' },
        {
          name: 'another host, masked',
          body: { url: 'https://thief.example', ...masked },
          status: 422,
          path: 'headers',
        },
        {
          name: 'another host, without the secret of the token endpoint',
          body: { url: 'https://thief.example', headers: {}, authentication: masked.authentication },
          status: 422,
          path: 'authentication',
        },
        {
          name: 'another token endpoint',
          body: { authentication: { ...masked.authentication, tokenUrl: 'https://thief.example/token' } },
          path: 'authentication.clientSecret',
        },
        { name: 'a mask for nothing', body: { headers: { 'x-new': '********' } }, path: 'headers.x-new' },
        { name: 'two credentials', body: { headers: { Authorization: 'Basic x' } }, path: 'headers.authorization' },
      ],
    );
    expect(await admin.make('PATCH', `/${id}`, { headers: {}, authentication: null })).toMatchObject({
      headers: {},
      authentication: null,
    });
    expect(JSON.stringify((await on.org.call('GET', '/admin/audit-logs')).body)).not.toMatch(/red-secret|oauth-secret/);
  });

  test('are refused with the place of the fault', async () => {
    const admin = here();
    const many = Array.from({ length: 101 }, (_, place) => `user:${place}`);
    await expectRefusals(
      (changed) => admin.call('POST', '', changed),
      [
        { name: 'no url', body: { ...body, url: undefined }, path: 'url' },
        { name: 'no events', body: { ...body, events: undefined }, path: 'events' },
        { name: 'an empty list of events', body: { ...body, events: [] }, path: 'events' },
        { name: 'an unknown event', body: { ...body, events: ['user.created', 'user.sneezed'] }, path: 'events[1]' },
        { name: 'an event twice', body: { ...body, events: ['*', '*'] }, path: 'events' },
        { name: 'http', body: { ...body, url: 'http://receiver.example' }, path: 'url' },
        { name: 'a user name', body: { ...body, url: 'https://a:b@receiver.example' }, path: 'url' },
        { name: 'a fragment', body: { ...body, url: 'https://receiver.example/#a' }, path: 'url' },
        { name: 'a private address', body: { ...body, url: 'https://10.0.0.1/' }, path: 'url' },
        { name: 'a decimal address', body: { ...body, url: 'https://2130706433/' }, path: 'url' },
        { name: 'an octal address', body: { ...body, url: 'https://0177.0.0.1/' }, path: 'url' },
        { name: 'a mapped address', body: { ...body, url: 'https://[::ffff:127.0.0.1]/' }, path: 'url' },
        { name: 'this machine', body: { ...body, url: 'https://localhost/' }, path: 'url' },
        { name: 'this machine, with a dot', body: { ...body, url: 'https://a.LocalHost.:8443/' }, path: 'url' },
        { name: 'a long url', body: { ...body, url: `https://receiver.example/${'a'.repeat(2048)}` }, path: 'url' },
        { name: 'no resource', body: { ...body, resources: ['42'] }, path: 'resources[0]' },
        { name: 'too many resources', body: { ...body, resources: many }, path: 'resources' },
        { name: 'a short secret', body: { ...body, [form.secret]: 'short' }, path: form.secret },
        { name: 'a secret of a few bytes', body: { ...body, [form.secret]: 'whsec_AAAA' }, path: form.secret },
        { name: 'a long secret', body: { ...body, [form.secret]: 'x'.repeat(257) }, path: form.secret },
        { name: 'a header of ours', body: { ...body, headers: { 'Webhook-Id': 'x' } }, path: 'headers.Webhook-Id' },
        { name: 'a hop-by-hop header', body: { ...body, headers: { connection: 'x' } }, path: 'headers.connection' },
        { name: 'a header that CGI believes', body: { ...body, headers: { Proxy: 'x' } }, path: 'headers.Proxy' },
        { name: 'a split header', body: { ...body, headers: { 'x-a': 'b\r\nc: d' } }, path: 'headers.x-a' },
        { name: 'another payload', body: { ...body, payload: 'none' }, path: 'payload' },
        {
          name: 'a key that is none',
          body: { ...body, authentication: { type: 'mtls', certificate: 'x', privateKey: 'y' } },
          path: 'authentication.certificate',
        },
        { name: 'an unknown field', body: { ...body, color: 'red' } },
      ],
    );
    expect(JSON.stringify((await admin.call('GET')).body)).toContain('"total":0');
  });

  test.each([
    'x_own',
    'webhook_id',
    'x.own',
    "x'own",
    'x own',
    'x--own',
    '-x',
    'x-',
    '1-x',
    'größe',
    '',
    'x'.repeat(65),
  ])('a header named "%s" is refused, with the rule for names', async (name) => {
    const answer = await here().call('POST', '', { ...body, headers: { [name]: 'x' } });
    expect(answer.status).toBe(400);
    expect(answer.at('errors')).toEqual([
      {
        path: `headers.${name}`,
        message: 'must be a name of at most 64 letters and digits, with single hyphens between them',
      },
    ]);
  });
});

test('forms and organizations do not see each other', async () => {
  const others = await on.service.organization(`${on.org.slug}other`);
  for (const form of forms) {
    const { id } = await new InForm(on.org, form).make('POST', '', { url, events: ['*'] });
    for (const each of [
      ...forms.filter((other) => other !== form).map((other) => new InForm(on.org, other)),
      new InForm(others, form),
    ]) {
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { description: 'mine' }],
        ['DELETE', '', undefined],
        ['POST', '/disable', undefined],
        ['POST', '/rotate-secret', undefined],
      ] as const) {
        expect((await each.call(method, `/${id}${path}`, body)).status).toBe(404);
      }
    }
  }
});

test('only full administration changes them, and reading needs its permission', async () => {
  const reader = await on.org.newKey({ permissions: ['settings.read'] });
  const other = await on.org.newKey({ permissions: ['users.read'] });
  for (const form of forms) {
    const admin = new InForm(on.org, form);
    const { id } = await admin.make('POST', '', { url, events: ['*'] });
    for (const path of ['', `/${id}`]) {
      expect((await admin.call('GET', path, undefined, reader.key)).status).toBe(200);
      expect((await admin.call('GET', path, undefined, other.key)).status).toBe(403);
    }
    for (const [method, path, body] of [
      ['POST', '', { url, events: ['*'] }],
      ['PATCH', `/${id}`, {}],
      ['DELETE', `/${id}`, undefined],
      ['POST', `/${id}/enable`, undefined],
      ['POST', `/${id}/rotate-secret`, undefined],
    ] as const) {
      expect((await admin.call(method, path, body, reader.key)).status).toBe(403);
    }
  }
});
