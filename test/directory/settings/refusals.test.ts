import { describe, expect, test } from 'vitest';
import { scene } from '../../security/organizations.ts';
import { type Family, families, inFamily, initialSections, single } from './sections.ts';

const on = scene();
const call = (family: Family, method: string, path: string, body?: unknown) =>
  inFamily(on.org, family, method, path, body);

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
    ['scim', { patch_response: 'all' }, 'patch_response'],
    ['scim', { allow_administrators: 'yes' }, 'allow_administrators'],
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
    expect((await call('org', 'GET', '/settings/general')).body).toEqual(
      single('org', initialSections(on.org.slug, '').general),
    );
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
