import type { Examples } from '../example.ts';

const bodies: Readonly<Record<string, object>> = {
  general: { name: 'Acme', supportEmail: 'help@acme.example', logoUrl: 'https://acme.example/logo.svg' },
  authentication: { passwordMinLength: 10, mfaMethods: ['totp'] },
  security: { maxLoginAttempts: 5, requirePkce: true },
  email: { fromName: 'Acme', smtpHost: 'mail.acme.example', smtpUser: 'acme', smtpPassword: 'some words' },
  auth: { password_policy: { template: 'strong' }, login_flow: { magic_link_enabled: true } },
  branding: { primary_color: '#123456', custom_css: 'a { color: red }', custom_html: '<p>Hello</p>' },
  oauth: {
    clientIdMetadataDocuments: true,
    openResources: ['https://tools.example/mcp'],
    identityAssertions: true,
    assertionIssuers: [{ issuer: 'https://acme.example', provider: 'oidc', jwksUri: 'https://acme.example/jwks' }],
  },
  sms: { url: 'https://sms.example/messages', format: 'json', from: 'Acme', token: 'some words' },
  scim: { enabled: true, strict: true },
};

const sections = Object.fromEntries(
  Object.entries(bodies).flatMap(([name, body]) => [
    [`GET /admin/settings/${name}`, () => ({})],
    [`PUT /admin/settings/${name}`, () => ({ body })],
    [`PATCH /admin/settings/${name}`, () => ({ body })],
  ]),
);

export const settingsExamples: Examples = {
  ...sections,
  'GET /admin/settings': () => ({}),
  'tenant PUT /admin/settings': () => ({
    body: { passwordPolicy: { minLength: 9 }, branding: { displayName: 'Acme' } },
  }),
  'GET /admin/organization': () => ({}),
  'PUT /admin/organization': () => ({
    body: { name: 'Acme', settings: { logo_url: null }, metadata: { tier: 'gold' } },
  }),
  'PATCH /admin/organization': () => ({ body: { metadata: { tier: null, size: 7 } } }),
  'GET /admin/info': () => ({}),
};
