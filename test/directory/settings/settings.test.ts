import { describe, expect, test } from 'vitest';
import { scene } from '../../security/organizations.ts';
import { type Family, families, inFamily, initialSections, initialTenantSettings, single } from './sections.ts';

const on = scene();
const call = (family: Family, method: string, path: string, body?: unknown, key?: string) =>
  inFamily(on.org, family, method, path, body, key ?? on.org.key);
const orgUrl = () => `${on.service.url}/orgs/${on.org.slug}`;
const initial = () => initialSections(on.org.slug, orgUrl());

type Section = keyof ReturnType<typeof initial>;
const sections = [
  'general',
  'authentication',
  'security',
  'email',
  'auth',
  'branding',
  'oauth',
  'sms',
  'scim',
] as const;

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
      allowSignup: true,
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
      tupleAudit: 'each',
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
        allow_guessable: true,
        max_age_days: 90,
      },
      session: { session_timeout: 600 },
      login_flow: { email_first_mode: true, magic_link_enabled: true, magic_link_only: true, magic_link_expiry: 300 },
      registration: {
        dynamic_client_registration_enabled: true,
        signup_enabled: true,
        progressive_profiling_enabled: true,
      },
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
  oauth: {
    body: {
      clientIdMetadataDocuments: true,
      openResources: ['https://tools.example/mcp'],
      identityAssertions: true,
      assertionIssuers: [{ issuer: 'https://acme.example', provider: 'oidc', jwksUri: 'https://acme.example/jwks' }],
    },
  },
  sms: {
    body: {
      url: 'https://sms.example/messages',
      format: 'json',
      from: 'Acme',
      user: 'acme',
      password: 'some words',
      token: 'other words',
    },
    answer: { password: undefined, passwordSet: true, token: undefined, tokenSet: true },
  },
  scim: {
    body: {
      enabled: true,
      strict: true,
      patch_response: 'no_content',
      allow_administrators: true,
      provisioning: {
        create_users: false,
        update_users: false,
        deactivate_users: false,
        delete_users: true,
        sync_groups: false,
      },
    },
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
    expect((await call(family, 'PUT', path, {})).body).toEqual(single(family, { ...first, ...kept }));
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
      if (['smtpPassword', 'password', 'token', 'mfaRequired', 'allowSocialLogin'].includes(name)) continue;
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
