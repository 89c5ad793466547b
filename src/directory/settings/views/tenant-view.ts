import type { View } from './view.ts';
import { organizationName, setting } from './view-field.ts';

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
