import { z } from 'zod';
import type { View } from './view.ts';
import { hasSecret, impossible, organizationName, secret, setting, text, told } from './view-field.ts';

/** Specification, Settings objects, org family A. */
export const familyA = {
  general: {
    name: organizationName,
    supportEmail: setting('branding', 'supportEmail'),
    logoUrl: setting('branding', 'logoUrl'),
  },
  authentication: {
    passwordMinLength: setting('passwordPolicy', 'minLength'),
    passwordRequireUppercase: setting('passwordPolicy', 'requireUppercase'),
    passwordRequireNumbers: setting('passwordPolicy', 'requireNumbers'),
    passwordRequireSymbols: setting('passwordPolicy', 'requireSymbols'),
    passwordAllowGuessable: setting('passwordPolicy', 'allowGuessable'),
    mfaRequired: setting('mfa', 'required'),
    mfaMethods: setting('mfa', 'methods'),
    allowPasswordLogin: setting('signIn', 'allowPassword'),
    allowSocialLogin: setting('signIn', 'allowSocial'),
    allowSignup: setting('signIn', 'allowSignup'),
    sessionDuration: setting('session', 'maxAge'),
  },
  security: {
    maxLoginAttempts: setting('lockout', 'maxAttempts'),
    lockoutDuration: setting('lockout', 'duration'),
    sessionTimeout: setting('session', 'idleTimeout'),
    accessTokenTtl: setting('oauth', 'accessTtl'),
    refreshTokenTtl: setting('oauth', 'refreshTtl'),
    requirePkce: setting('oauth', 'requirePkce'),
    tupleAudit: setting('audit', 'tuples'),
  },
  email: {
    fromName: setting('email', 'fromName'),
    fromEmail: setting('email', 'fromEmail'),
    replyToEmail: setting('email', 'replyTo'),
    smtpHost: setting('email', 'smtpHost'),
    smtpPort: setting('email', 'smtpPort'),
    smtpSecure: setting('email', 'smtpSecure'),
    smtpUser: setting('email', 'smtpUser'),
    smtpPassword: secret('email', 'smtpPassword'),
    smtpPasswordSet: hasSecret('email', 'smtpPassword'),
  },
} as const satisfies View;

/** Specification, Settings objects, org family B. */
export const familyB = {
  auth: {
    passwordless: {
      passkey_enabled: setting('signIn', 'allowPasskeys'),
      biometric_enabled: setting('signIn', 'allowBiometrics'),
    },
    mfa: {
      mfa_required: setting('mfa', 'required'),
      push_auth_required: impossible('No provider of push notifications exists.'),
      mfa_methods: setting('mfa', 'methods'),
    },
    password_policy: {
      template: setting('passwordPolicy', 'template'),
      min_length: setting('passwordPolicy', 'minLength'),
      require_special: setting('passwordPolicy', 'requireSymbols'),
      require_numbers: setting('passwordPolicy', 'requireNumbers'),
      require_uppercase: setting('passwordPolicy', 'requireUppercase'),
      allow_guessable: setting('passwordPolicy', 'allowGuessable'),
      max_age_days: setting('passwordPolicy', 'maxAgeDays'),
    },
    session: { session_timeout: setting('session', 'idleTimeout') },
    login_flow: {
      email_first_mode: setting('signIn', 'emailFirst'),
      magic_link_enabled: setting('signIn', 'magicLinks'),
      magic_link_only: setting('signIn', 'magicLinksOnly'),
      magic_link_expiry: setting('signIn', 'magicLinkLifetime'),
    },
    registration: {
      dynamic_client_registration_enabled: setting('oauth', 'dynamicRegistration'),
      signup_enabled: setting('signIn', 'allowSignup'),
      progressive_profiling_enabled: setting('signIn', 'progressiveProfiling'),
    },
  },
  branding: {
    logo_url: text('branding', 'logoUrl'),
    favicon_url: text('branding', 'faviconUrl'),
    welcome_text: text('branding', 'welcomeText'),
    footer_text: text('branding', 'footerText'),
    primary_color: setting('branding', 'primaryColor'),
    text_color: setting('branding', 'textColor'),
    background_type: setting('branding', 'backgroundType'),
    background_gradient_start: setting('branding', 'backgroundGradientStart'),
    background_gradient_end: setting('branding', 'backgroundGradientEnd'),
    custom_css: text('branding', 'customCss'),
    custom_html: text('branding', 'customHtml'),
  },
  scim: {
    enabled: setting('scim', 'enabled'),
    base_url: told(z.string(), ({ orgUrl }) => `${orgUrl}/scim2.0`),
    bearer_token: told(z.string(), (_, { scimToken = '' }) => scimToken),
    bearer_token_set: told(z.boolean(), (_, { scimToken }) => scimToken !== undefined),
    strict: setting('scim', 'strict'),
    patch_response: setting('scim', 'patchResponse'),
    allow_administrators: setting('scim', 'allowAdministrators'),
    provisioning: {
      create_users: setting('scim', 'createUsers'),
      update_users: setting('scim', 'updateUsers'),
      deactivate_users: setting('scim', 'deactivateUsers'),
      delete_users: setting('scim', 'deleteUsers'),
      sync_groups: setting('scim', 'syncGroups'),
    },
  },
} as const satisfies View;

/** What the specification has no member for. */
export const ownViews = {
  oauth: {
    clientIdMetadataDocuments: setting('oauth', 'clientDocuments'),
    openResources: setting('oauth', 'openResources'),
    identityAssertions: setting('oauth', 'identityAssertions'),
    assertionIssuers: setting('oauth', 'assertionIssuers'),
  },
  sms: {
    url: setting('sms', 'url'),
    format: setting('sms', 'format'),
    from: setting('sms', 'from'),
    user: setting('sms', 'user'),
    password: secret('sms', 'password'),
    passwordSet: hasSecret('sms', 'password'),
    token: secret('sms', 'token'),
    tokenSet: hasSecret('sms', 'token'),
  },
} as const satisfies View;

/** The `settings` of an organization's profile. */
export const profileSettings = {
  logo_url: setting('branding', 'logoUrl'),
  favicon_url: setting('branding', 'faviconUrl'),
  primary_color: setting('branding', 'primaryColor'),
  text_color: setting('branding', 'textColor'),
} as const satisfies View;

/** Specification, Settings object, tenant family. */
export const tenantView = {
  passwordPolicy: {
    minLength: setting('passwordPolicy', 'minLength'),
    requireUppercase: setting('passwordPolicy', 'requireUppercase'),
    requireNumbers: setting('passwordPolicy', 'requireNumbers'),
    requireSymbols: setting('passwordPolicy', 'requireSymbols'),
    allowGuessable: setting('passwordPolicy', 'allowGuessable'),
    preventReuse: setting('passwordPolicy', 'preventReuse'),
  },
  mfaPolicy: {
    required: setting('mfa', 'required'),
    allowedMethods: setting('mfa', 'methods'),
    gracePeriodDays: setting('mfa', 'gracePeriodDays'),
  },
  sessionPolicy: {
    maxAge: setting('session', 'maxAge'),
    idleTimeout: setting('session', 'idleTimeout'),
    singleSession: setting('session', 'single'),
  },
  loginPolicy: {
    maxAttempts: setting('lockout', 'maxAttempts'),
    lockoutDuration: setting('lockout', 'duration'),
    attemptWindow: setting('lockout', 'window'),
  },
  branding: {
    displayName: organizationName,
    logoUrl: setting('branding', 'logoUrl'),
    primaryColor: setting('branding', 'primaryColor'),
    supportEmail: setting('branding', 'supportEmail'),
  },
} as const satisfies View;
