import type { Answer, Organization } from '../../server/running-service.ts';

export type Family = 'org' | 'tenant';

export const families = ['org', 'tenant'] as const;

/** One call in a family, as the organization's administrator. */
export function inFamily(
  org: Organization,
  family: Family,
  method: string,
  path: string,
  body?: unknown,
  key = org.key,
): Promise<Answer> {
  const base = family === 'org' ? `/orgs/${org.slug}/api/v1` : `/t/${org.slug}/api/v1`;
  return org.service.call(method, `${base}/admin${path}`, { key, body });
}

/** One thing in the envelope of its family. */
export function single(family: Family, item: unknown): unknown {
  return family === 'org' ? { data: { data: item } } : { data: item };
}

/** What each section answers in a new organization, whose name is its slug and whose address is `orgUrl`. */
export function initialSections(slug: string, orgUrl: string) {
  return {
    general: { name: slug, supportEmail: null, logoUrl: null },
    authentication: {
      passwordMinLength: 8,
      passwordRequireUppercase: false,
      passwordRequireNumbers: false,
      passwordRequireSymbols: false,
      passwordAllowGuessable: false,
      mfaRequired: false,
      mfaMethods: ['totp', 'webauthn'],
      allowPasswordLogin: true,
      allowSocialLogin: true,
      allowSignup: false,
      sessionDuration: 86_400,
    },
    security: {
      maxLoginAttempts: 10,
      lockoutDuration: 900,
      sessionTimeout: 7200,
      accessTokenTtl: 3600,
      refreshTokenTtl: 1_209_600,
      requirePkce: true,
      tupleAudit: 'summary',
    },
    email: {
      fromName: null,
      fromEmail: null,
      replyToEmail: null,
      smtpHost: null,
      smtpPort: 587,
      smtpSecure: false,
      smtpUser: null,
      smtpPasswordSet: false,
    },
    auth: {
      passwordless: { passkey_enabled: true, biometric_enabled: true },
      mfa: { mfa_required: false, push_auth_required: false, mfa_methods: ['totp', 'webauthn'] },
      password_policy: {
        template: 'basic',
        min_length: 8,
        require_special: false,
        allow_guessable: false,
        require_numbers: false,
        require_uppercase: false,
        max_age_days: 0,
      },
      session: { session_timeout: 7200 },
      login_flow: {
        email_first_mode: false,
        magic_link_enabled: false,
        magic_link_only: false,
        magic_link_expiry: 900,
      },
      registration: {
        dynamic_client_registration_enabled: false,
        signup_enabled: false,
        progressive_profiling_enabled: false,
      },
    },
    branding: {
      logo_url: '',
      favicon_url: '',
      welcome_text: '',
      footer_text: '',
      primary_color: '#2563eb',
      text_color: '#111827',
      background_type: 'solid',
      background_gradient_start: '#f9fafb',
      background_gradient_end: '#e5e7eb',
      custom_css: '',
      custom_html: '',
    },
    oauth: { clientIdMetadataDocuments: false, openResources: [], identityAssertions: false, assertionIssuers: [] },
    sms: { url: null, format: 'form', from: null, user: null, passwordSet: false, tokenSet: false },
    scim: {
      enabled: false,
      base_url: `${orgUrl}/scim2.0`,
      bearer_token: '',
      bearer_token_set: false,
      strict: false,
      patch_response: 'auto',
      allow_administrators: false,
      provisioning: {
        create_users: true,
        update_users: true,
        deactivate_users: true,
        delete_users: false,
        sync_groups: true,
      },
    },
  };
}

/** The tenant family's one object, in a new organization. */
export function initialTenantSettings(slug: string) {
  return {
    passwordPolicy: {
      minLength: 8,
      requireUppercase: false,
      requireNumbers: false,
      requireSymbols: false,
      allowGuessable: false,
      preventReuse: 0,
    },
    mfaPolicy: { required: false, allowedMethods: ['totp', 'webauthn'], gracePeriodDays: 0 },
    sessionPolicy: { maxAge: 86_400, idleTimeout: 7200, singleSession: false },
    loginPolicy: { maxAttempts: 10, lockoutDuration: 900, attemptWindow: 900 },
    branding: { displayName: slug, logoUrl: null, primaryColor: '#2563eb', supportEmail: null },
  };
}
