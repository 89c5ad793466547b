import { describe, expect, test } from 'vitest';
import { scene } from '../security/organizations.ts';
import { type Family, families, inFamily, initialSections, initialTenantSettings, single } from './sections.ts';

const on = scene();
const call = (family: Family, method: string, path: string, body?: unknown, key?: string) =>
  inFamily(on.org, family, method, path, body, key ?? on.org.key);
// the base URL as configured; the port is chosen later
const orgApi = () => `http://localhost:0/orgs/${on.org.slug}/api/v1`;
const initial = () => initialSections(on.org.slug, orgApi());

type Section = keyof ReturnType<typeof initial>;
const sections = ['general', 'authentication', 'security', 'email', 'auth', 'branding', 'scim'] as const;

/** A full body of each section, none of whose values is the initial one; and what it answers where that differs. */
const full: Readonly<Record<Section, { readonly body: object; readonly answer?: object }>> = {
  general: { body: { name: 'Acme Inc.', supportEmail: 'help@acme.example', logoUrl: 'https://acme.example/logo.svg' } },
  authentication: {
    body: {
      passwordMinLength: 14,
      passwordRequireUppercase: true,
      passwordRequireNumbers: true,
      passwordRequireSymbols: true,
      mfaRequired: true,
      mfaMethods: ['totp', 'webauthn', 'sms', 'email'],
      allowPasswordLogin: false,
      allowSocialLogin: false,
      sessionDuration: 7200,
    },
  },
  security: {
    body: {
      maxLoginAttempts: 3,
      lockoutDuration: 60,
      sessionTimeout: 120,
      accessTokenTtl: 300,
      refreshTokenTtl: 86_400,
      requirePkce: false,
    },
  },
  email: {
    body: {
      fromName: 'Acme',
      fromEmail: 'no-reply@acme.example',
      replyToEmail: 'help@acme.example',
      smtpHost: 'mail.acme.example',
      smtpPort: 465,
      smtpSecure: true,
      smtpUser: 'acme',
      smtpPassword: 'hush-hush-123',
    },
    answer: { smtpPassword: undefined, smtpPasswordSet: true },
  },
  auth: {
    body: {
      passwordless: { passkey_enabled: false, biometric_enabled: false },
      mfa: { mfa_required: true, push_auth_required: false, mfa_methods: ['email'] },
      password_policy: {
        template: 'strong',
        min_length: 12,
        require_special: true,
        require_numbers: true,
        require_uppercase: true,
        max_age_days: 90,
      },
      session: { session_timeout: 600 },
      login_flow: { email_first_mode: true, magic_link_enabled: true, magic_link_only: true, magic_link_expiry: 300 },
      registration: { dynamic_client_registration_enabled: true, progressive_profiling_enabled: true },
    },
  },
  branding: {
    body: {
      logo_url: 'https://acme.example/logo.svg',
      favicon_url: 'https://acme.example/favicon.ico',
      welcome_text: 'Welcome,\nall of you!',
      footer_text: '© Acme',
      primary_color: '#abc',
      text_color: '#012345',
      background_type: 'gradient',
      background_gradient_start: '#ffffff',
      background_gradient_end: '#000000',
      custom_css: '.card { border-radius: 12px }',
      custom_html: '<p class="note">Ask the <a href="https://acme.example/help">help desk</a>.</p>',
    },
  },
  scim: {
    body: {
      enabled: true,
      bearer_token: 'scim-token-0123456789-abcdefghij',
      provisioning: {
        create_users: false,
        update_users: false,
        deactivate_users: false,
        delete_users: true,
        sync_groups: false,
      },
    },
    answer: { bearer_token: undefined, bearer_token_set: true },
  },
};

describe.each(families)('in the %s family', (family) => {
  test.each(sections)('%s: at first, replaced, and back again', async (section) => {
    const path = `/settings/${section}`;
    const first = initial()[section];
    expect(await call(family, 'GET', path)).toMatchObject({ status: 200, body: single(family, first) });
    const { body, answer = {} } = full[section];
    const expected = JSON.parse(JSON.stringify({ ...first, ...body, ...answer }));
    const replaced = await call(family, 'PUT', path, body);
    expect(replaced.status).toBe(200);
    expect(replaced.body).toEqual(single(family, expected));
    expect((await call(family, 'GET', path)).body).toEqual(single(family, expected));
    // the name has no initial value, and a secret cannot be sent back
    const kept = { ...(section === 'general' ? { name: 'Acme Inc.' } : {}) };
    const secret = section === 'scim' ? { bearer_token_set: true } : {};
    expect((await call(family, 'PUT', path, {})).body).toEqual(single(family, { ...first, ...kept, ...secret }));
  });

  test.each(sections)('%s: what was read can be sent back', async (section) => {
    const path = `/settings/${section}`;
    await call(family, 'PUT', path, full[section].body);
    const read = await call(family, 'GET', path);
    const again = await call(family, 'PUT', path, read.at(family === 'org' ? 'data.data' : 'data'));
    expect(again.status).toBe(200);
    expect(again.body).toEqual(read.body);
  });

  test.each(sections)('%s: a PATCH changes what it names and nothing else, at any depth', async (section) => {
    const path = `/settings/${section}`;
    const expected = structuredClone(initial()[section]) as Record<string, unknown>;
    for (const [name, value] of Object.entries(full[section].body)) {
      if (['smtpPassword', 'bearer_token', 'mfaRequired', 'allowSocialLogin'].includes(name)) continue;
      const parts = isObject(value) ? Object.entries(value).map(([inner, each]) => ({ [inner]: each })) : [value];
      for (const part of parts) {
        if (isObject(part) && 'template' in part) continue; // it speaks for its neighbours too
        if (name === 'password_policy') Object.assign(expected[name] as object, { template: 'custom' });
        const patched = await call(family, 'PATCH', path, { [name]: part });
        expect(patched.status).toBe(200);
        expected[name] = isObject(part) ? { ...(expected[name] as object), ...part } : part;
        const answered = patched.at(family === 'org' ? `data.data.${name}` : `data.${name}`);
        expect(answered).toEqual(expected[name]);
      }
    }
    expect((await call(family, 'GET', path)).body).toEqual(single(family, expected));
  });
});

test('org family: all categories in one answer, and they are those of family A', async () => {
  const { general, authentication, security, email } = initial();
  const all = await call('org', 'GET', '/settings');
  expect(all.body).toEqual({ data: { data: { general, authentication, security, email } } });
  for (const method of ['PUT', 'PATCH']) {
    expect((await call('org', method, '/settings', { general: { name: 'x' } })).status).toBe(405);
  }
});

test('tenant family: one object, whose PUT merges nested objects', async () => {
  const expected = initialTenantSettings(on.org.slug);
  expect((await call('tenant', 'GET', '/settings')).body).toEqual({ data: expected });
  const put = async (body: unknown) => {
    const answer = await call('tenant', 'PUT', '/settings', body);
    expect(answer.status).toBe(200);
    return answer.body;
  };
  expected.passwordPolicy.minLength = 12;
  expect(await put({ passwordPolicy: { minLength: 12 } })).toEqual({ data: expected });
  Object.assign(expected.passwordPolicy, { requireSymbols: true, preventReuse: 5 });
  expect(await put({ passwordPolicy: { requireSymbols: true, preventReuse: 5 } })).toEqual({ data: expected });
  Object.assign(expected.mfaPolicy, { allowedMethods: ['sms'], gracePeriodDays: 7, required: true });
  Object.assign(expected.sessionPolicy, { maxAge: 1000, idleTimeout: 100, singleSession: true });
  Object.assign(expected.loginPolicy, { maxAttempts: 5, lockoutDuration: 30, attemptWindow: 60 });
  const brand = {
    displayName: 'Acme',
    logoUrl: 'https://a.example/l',
    primaryColor: '#ABCDEF',
    supportEmail: 'a@b.example',
  };
  Object.assign(expected.branding, brand);
  const { passwordPolicy: _, ...others } = expected;
  expect(await put(others)).toEqual({ data: expected });
  expect(await put({})).toEqual({ data: expected });
  Object.assign(expected.branding, { logoUrl: null, supportEmail: null });
  expect(await put({ branding: { logoUrl: null, supportEmail: null } })).toEqual({ data: expected });
});

describe('what is wrong is refused, with its place', () => {
  const cases: [section: string, body: unknown, path: string][] = [
    ['general', { name: '' }, 'name'],
    ['general', { name: 'x'.repeat(201) }, 'name'],
    ['general', { name: 'two\nlines' }, 'name'],
    ['general', { name: null }, 'name'],
    ['general', { supportEmail: 'nobody' }, 'supportEmail'],
    ['general', { supportEmail: 'a@b.example, c@d.example' }, 'supportEmail'],
    ['general', { supportEmail: 'a@b.example\r\nBcc: x@y.example' }, 'supportEmail'],
    ['general', { logoUrl: 'http://a.example/' }, 'logoUrl'],
    ['general', { logoUrl: 'data:image/png;base64,AAAA' }, 'logoUrl'],
    ['general', { logoUrl: 'javascript:alert(1)' }, 'logoUrl'],
    ['general', { logoUrl: 'https://user:word@a.example/' }, 'logoUrl'],
    ['general', { logoUrl: `https://a.example/${'x'.repeat(2048)}` }, 'logoUrl'],
    ['general', { logoUrl: 'https://a.example/"onerror=\n' }, 'logoUrl'],
    ['general', { other: 1 }, 'other'],
    ['authentication', { passwordMinLength: 5 }, 'passwordMinLength'],
    ['authentication', { passwordMinLength: 129 }, 'passwordMinLength'],
    ['authentication', { passwordMinLength: 8.5 }, 'passwordMinLength'],
    ['authentication', { passwordMinLength: '8' }, 'passwordMinLength'],
    ['authentication', { passwordRequireNumbers: 'yes' }, 'passwordRequireNumbers'],
    ['authentication', { mfaMethods: ['push'] }, 'mfaMethods[0]'],
    ['authentication', { mfaMethods: ['totp', 'totp'] }, 'mfaMethods'],
    ['authentication', { mfaMethods: 'totp' }, 'mfaMethods'],
    ['authentication', { mfaMethods: ['totp', 'sms', 'email', 'webauthn', 'totp'] }, 'mfaMethods'],
    ['authentication', { sessionDuration: 0 }, 'sessionDuration'],
    ['authentication', { sessionDuration: -1 }, 'sessionDuration'],
    ['authentication', { sessionDuration: 31_536_001 }, 'sessionDuration'],
    ['security', { maxLoginAttempts: 0 }, 'maxLoginAttempts'],
    ['security', { maxLoginAttempts: 1001 }, 'maxLoginAttempts'],
    ['security', { lockoutDuration: 2_592_001 }, 'lockoutDuration'],
    ['security', { accessTokenTtl: 86_401 }, 'accessTokenTtl'],
    ['security', { refreshTokenTtl: 7_776_001 }, 'refreshTokenTtl'],
    ['security', { requirePkce: 1 }, 'requirePkce'],
    ['email', { fromName: 'A\r\nBcc: x' }, 'fromName'],
    ['email', { fromEmail: '<a@b.example>' }, 'fromEmail'],
    ['email', { smtpHost: 'a.example:25' }, 'smtpHost'],
    ['email', { smtpHost: 'a.example/x' }, 'smtpHost'],
    ['email', { smtpHost: 'a b' }, 'smtpHost'],
    ['email', { smtpPort: 0 }, 'smtpPort'],
    ['email', { smtpPort: 65_536 }, 'smtpPort'],
    ['email', { smtpUser: 'a\u0000b' }, 'smtpUser'],
    ['email', { smtpHost: 'a.example', smtpPassword: '' }, 'smtpPassword'],
    ['email', { smtpHost: 'a.example', smtpPassword: 'x'.repeat(1025) }, 'smtpPassword'],
    ['auth', { mfa: { mfa_methods: ['fax'] } }, 'mfa.mfa_methods[0]'],
    ['auth', { mfa: [] }, 'mfa'],
    ['auth', { mfa: { other: true } }, 'mfa.other'],
    ['auth', { password_policy: { template: 'weak' } }, 'password_policy.template'],
    ['auth', { password_policy: { max_age_days: 3651 } }, 'password_policy.max_age_days'],
    ['auth', { login_flow: { magic_link_expiry: 59 } }, 'login_flow.magic_link_expiry'],
    ['auth', { session: null }, 'session'],
    ['branding', { primary_color: 'red' }, 'primary_color'],
    ['branding', { primary_color: '#12345' }, 'primary_color'],
    ['branding', { primary_color: '#fff;background:url(x)' }, 'primary_color'],
    ['branding', { text_color: '' }, 'text_color'],
    ['branding', { background_type: 'video' }, 'background_type'],
    ['branding', { welcome_text: 'x'.repeat(2001) }, 'welcome_text'],
    ['branding', { welcome_text: 'a\u0007' }, 'welcome_text'],
    ['branding', { custom_css: 'x'.repeat(65_537) }, 'custom_css'],
    ['branding', { custom_css: 7 }, 'custom_css'],
    ['branding', { custom_html: 'x'.repeat(65_537) }, 'custom_html'],
    ['scim', { bearer_token: 'short' }, 'bearer_token'],
    ['scim', { bearer_token: `${'x'.repeat(20)} y` }, 'bearer_token'],
    ['scim', { bearer_token: 'x'.repeat(513) }, 'bearer_token'],
    ['scim', { provisioning: { create_users: 'all' } }, 'provisioning.create_users'],
  ];

  test.each(cases)('%s %j', async (section, body, path) => {
    for (const family of families) {
      for (const method of ['PUT', 'PATCH']) {
        const answer = await call(family, method, `/settings/${section}`, body);
        expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
        expect(answer.list('errors').map((each) => (each as { path: string }).path)).toContain(path);
      }
    }
    expect((await call('org', 'GET', '/settings/general')).body).toEqual(single('org', initial().general));
  });

  test.each([
    [{ passwordPolicy: { minLength: 5 } }, 'passwordPolicy.minLength'],
    [{ passwordPolicy: { preventReuse: 25 } }, 'passwordPolicy.preventReuse'],
    [{ passwordPolicy: null }, 'passwordPolicy'],
    [{ mfaPolicy: { allowedMethods: ['x'] } }, 'mfaPolicy.allowedMethods[0]'],
    [{ mfaPolicy: { gracePeriodDays: 366 } }, 'mfaPolicy.gracePeriodDays'],
    [{ sessionPolicy: { maxAge: 0 } }, 'sessionPolicy.maxAge'],
    [{ sessionPolicy: { singleSession: 'no' } }, 'sessionPolicy.singleSession'],
    [{ loginPolicy: { attemptWindow: 0 } }, 'loginPolicy.attemptWindow'],
    [{ loginPolicy: { other: 0 } }, 'loginPolicy.other'],
    [{ branding: { primaryColor: 'blue' } }, 'branding.primaryColor'],
    [{ branding: { displayName: null } }, 'branding.displayName'],
    [{ branding: { logoUrl: '' } }, 'branding.logoUrl'],
    [{ other: {} }, 'other'],
  ])('the tenant object %j', async (body, path) => {
    const answer = await call('tenant', 'PUT', '/settings', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.list('errors').map((each) => (each as { path: string }).path)).toContain(path);
  });

  test.each(['{"__proto__":{"name":"x"}}', '{"constructor":1}', '{"name":"a","name":"b"}', '[]', '"x"', ''])(
    'the body %s',
    async (body) => {
      for (const path of ['/settings/general', '/organization']) {
        const answer = await on.org.service.call('PUT', `/orgs/${on.org.slug}/api/v1/admin${path}`, {
          key: on.org.key,
          body: body === '' ? '{}x' : body,
        });
        expect(answer.status).toBe(400);
      }
    },
  );
});

describe('rules over several settings answer 422', () => {
  test.each([
    ['authentication', { mfaRequired: true, mfaMethods: [] }],
    ['auth', { mfa: { mfa_required: true, mfa_methods: [] } }],
    ['auth', { mfa: { push_auth_required: true } }],
    ['auth', { login_flow: { magic_link_only: true } }],
    ['email', { smtpPassword: 'x' }],
  ])('%s %j', async (section, body) => {
    for (const method of ['PUT', 'PATCH']) {
      const answer = await call('org', method, `/settings/${section}`, body);
      expect(answer).toMatchObject({ status: 422, body: { code: 'refused' } });
    }
  });

  test('a way to sign in must remain', async () => {
    await call('org', 'PATCH', '/settings/auth', { passwordless: { passkey_enabled: false } });
    const none = { allowPasswordLogin: false, allowSocialLogin: false };
    expect((await call('org', 'PATCH', '/settings/authentication', none)).status).toBe(422);
    await call('org', 'PATCH', '/settings/auth', { login_flow: { magic_link_enabled: true } });
    expect((await call('org', 'PATCH', '/settings/authentication', none)).status).toBe(200);
    const off = { login_flow: { magic_link_enabled: false } };
    expect((await call('org', 'PATCH', '/settings/auth', off)).status).toBe(422);
  });

  test('push says where and why', async () => {
    const answer = await call('org', 'PATCH', '/settings/auth', { mfa: { push_auth_required: true } });
    expect(answer.list('errors')).toMatchObject([{ path: 'mfa.push_auth_required' }]);
  });
});

test('a template brings its values, and what departs from it is custom', async () => {
  const patch = async (policy: unknown) => {
    const answer = await call('org', 'PATCH', '/settings/auth', { password_policy: policy });
    return answer.at('data.data.password_policy');
  };
  const strong = { min_length: 12, require_special: true, require_numbers: true, require_uppercase: true };
  expect(await patch({ template: 'strong' })).toMatchObject({ template: 'strong', ...strong });
  expect((await call('tenant', 'GET', '/settings')).at('data.passwordPolicy')).toMatchObject({
    minLength: 12,
    requireSymbols: true,
  });
  await call('tenant', 'PUT', '/settings', { passwordPolicy: { minLength: 16 } });
  expect((await call('org', 'GET', '/settings/auth')).at('data.data.password_policy')).toMatchObject({
    ...strong,
    template: 'custom',
    min_length: 16,
  });
  expect(await patch({ template: 'standard', min_length: 11 })).toMatchObject({ template: 'custom', min_length: 11 });
  const replaced = await call('org', 'PUT', '/settings/auth', { password_policy: { template: 'strong' } });
  expect(replaced.at('data.data.password_policy')).toMatchObject({ template: 'strong', ...strong });
});

test('many writers at once: each change stands', async () => {
  const changes: [string, unknown][] = [
    ['/settings/authentication', { passwordMinLength: 10 }],
    ['/settings/authentication', { sessionDuration: 999 }],
    ['/settings/security', { maxLoginAttempts: 4 }],
    ['/settings/security', { lockoutDuration: 44 }],
    ['/settings/branding', { footer_text: 'here' }],
    ['/settings/general', { name: 'Changed' }],
    ['/organization', { metadata: { a: 1 } }],
    ['/organization', { metadata: { b: 2 } }],
  ];
  const answers = await Promise.all(changes.map(([path, body]) => call('org', 'PATCH', path, body)));
  expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
  const all = await call('org', 'GET', '/settings');
  expect(all.at('data.data')).toMatchObject({
    general: { name: 'Changed' },
    authentication: { passwordMinLength: 10, sessionDuration: 999 },
    security: { maxLoginAttempts: 4, lockoutDuration: 44 },
  });
  expect((await call('org', 'GET', '/organization')).at('data.data.metadata')).toEqual({ a: 1, b: 2 });
});

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
