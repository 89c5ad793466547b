import { z } from 'zod';
import { smsFormats } from '../../../platform/index.ts';
import {
  headerText,
  hexColour,
  hostName,
  httpsUrl,
  line,
  mailAddress,
  outboundUrl,
  resourceUri,
} from '../text/formats.ts';
import { markupFault } from '../text/markup.ts';
import { styleSheetFault } from '../text/style-sheet.ts';
import { type AssertionIssuer, assertionIssuers, storedAssertionIssuers } from './assertion-issuers.ts';
import { passwordTemplates } from './password-templates.ts';

/** One setting: what it may be, and what it is until somebody sets it. */
export interface Field<T> {
  readonly schema: z.ZodType<T>;
  readonly initial: T;
  /** Written and never shown; stored sealed. */
  readonly isSecret: boolean;
  /** As it is stored, where its initial value does not tell. */
  readonly stored?: z.ZodType<T>;
}

function field<T>(schema: z.ZodType<T>, initial: NoInfer<T>): Field<T> {
  return { schema, initial, isSecret: false };
}

function text(schema: z.ZodType<string>): Field<string | null> {
  return field(schema.nullable(), null);
}

function flag(initial: boolean): Field<boolean> {
  return field(z.boolean(), initial);
}

function whole(min: number, max: number, initial: number): Field<number> {
  return field(z.int().min(min).max(max), initial);
}

function secret(schema: z.ZodType<string>): Field<string | null> {
  return { schema: schema.nullable(), initial: null, isSecret: true };
}

function checked(lengthMax: number, fault: (text: string) => string | undefined): Field<string | null> {
  const schema = z
    .string()
    .max(lengthMax)
    .superRefine((value, context) => {
      const message = fault(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    });
  return text(schema);
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const mfaMethods = ['totp', 'webauthn', 'sms', 'email'] as const;

const paragraph = z
  .string()
  .max(2000)
  .regex(/^[^\p{Cc}]*(?:[\n\t][^\p{Cc}]*)*$/u, 'must not contain control characters');

/**
 * Every setting of an organization, once. What the families call them is in `views/`. Times are seconds, unless the name
 * says otherwise.
 */
export const fields = {
  branding: {
    supportEmail: text(mailAddress),
    logoUrl: text(httpsUrl),
    faviconUrl: text(httpsUrl),
    welcomeText: text(paragraph),
    footerText: text(paragraph),
    primaryColor: field(hexColour, '#2563eb'),
    textColor: field(hexColour, '#111827'),
    backgroundType: field(z.enum(['solid', 'gradient']), 'solid'),
    /** Of a solid background the colour. */
    backgroundGradientStart: field(hexColour, '#f9fafb'),
    backgroundGradientEnd: field(hexColour, '#e5e7eb'),
    customCss: checked(64 * 1024, styleSheetFault),
    customHtml: checked(64 * 1024, markupFault),
  },
  passwordPolicy: {
    /** While one is named, its values hold: see `password-templates.ts`. */
    template: field(z.enum(passwordTemplates), 'basic'),
    minLength: whole(6, 128, 8),
    requireUppercase: flag(false),
    requireNumbers: flag(false),
    requireSymbols: flag(false),
    /** Whether passwords are taken that are among the first that anybody tries. */
    allowGuessable: flag(false),
    /** How many former passwords are refused; 0 is none. */
    preventReuse: whole(0, 24, 0),
    /** After so many days a new password must be chosen; 0 is never. */
    maxAgeDays: whole(0, 3650, 0),
  },
  mfa: {
    required: flag(false),
    methods: field(
      z
        .array(z.enum(mfaMethods))
        .max(mfaMethods.length)
        .refine((list) => new Set(list).size === list.length, 'must not name a method twice'),
      ['totp', 'webauthn'],
    ),
    /** For how long a user may put enrolment off; 0 is not at all. */
    gracePeriodDays: whole(0, 365, 0),
  },
  signIn: {
    allowPassword: flag(true),
    allowSocial: flag(true),
    /** Whether people may make accounts for themselves. Providers have a switch of their own. */
    allowSignup: flag(false),
    allowPasskeys: flag(true),
    /** Whether authenticators built into the device may hold passkeys. */
    allowBiometrics: flag(true),
    /** Ask for the email address first, and for the rest after it. */
    emailFirst: flag(false),
    magicLinks: flag(false),
    magicLinksOnly: flag(false),
    magicLinkLifetime: whole(MINUTE, DAY, 15 * MINUTE),
    /** Ask for profile fields that are missing. */
    progressiveProfiling: flag(false),
  },
  lockout: {
    /** Failures of one account and address within the window, before they are locked out. */
    maxAttempts: whole(1, 1000, 10),
    duration: whole(1, 30 * DAY, 15 * MINUTE),
    window: whole(1, 30 * DAY, 15 * MINUTE),
  },
  audit: {
    /** How raw writes of tuples are put on record: not at all, an entry for each request, or one for each tuple. */
    tuples: field(z.enum(['none', 'summary', 'each']), 'summary'),
  },
  session: {
    maxAge: whole(1, 365 * DAY, DAY),
    /** Longer than an access token: an application that goes on with the session is seen when it gets the next one. */
    idleTimeout: whole(1, 365 * DAY, 2 * HOUR),
    /** A new session ends the user's other ones. */
    single: flag(false),
  },
  oauth: {
    accessTtl: whole(1, DAY, HOUR),
    /** How long a refresh token lives unused. */
    refreshTtl: whole(1, 90 * DAY, 14 * DAY),
    requirePkce: flag(true),
    dynamicRegistration: flag(false),
    /** Whether a client may be the document at an https URL that is its `client_id`. */
    clientDocuments: flag(false),
    /** APIs beside the organization's own that clients may get tokens for which no administrator has registered. */
    openResources: field(
      z
        .array(resourceUri)
        .max(50)
        .refine((list) => new Set(list).size === list.length, 'must not name an API twice'),
      [],
    ),
    /** Whether applications exchange ID tokens for assertions to other servers, and those of other servers for tokens. */
    identityAssertions: flag(false),
    /** Servers whose assertions about their users are believed. */
    assertionIssuers: {
      ...field<readonly AssertionIssuer[]>(assertionIssuers, []),
      stored: storedAssertionIssuers,
    },
  },
  email: {
    fromName: text(line),
    fromEmail: text(mailAddress),
    replyTo: text(mailAddress),
    smtpHost: text(hostName),
    smtpPort: whole(1, 65_535, 587),
    /** TLS from the first byte, as on port 465; otherwise by STARTTLS. */
    smtpSecure: flag(false),
    smtpUser: text(line),
    smtpPassword: secret(z.string().min(1).max(1024)),
  },
  /** The organization's own provider of short messages. */
  sms: {
    url: text(outboundUrl),
    format: field(z.enum(smsFormats), 'form'),
    from: text(line),
    user: text(headerText),
    password: secret(headerText),
    token: secret(headerText),
  },
  scim: {
    enabled: flag(false),
    /** Whether what the protocol does not know, or nobody has, is refused and not left out. */
    strict: flag(false),
    /** What a PATCH answers: the resource, nothing, or whichever the client can use. */
    patchResponse: field(z.enum(['auto', 'resource', 'no_content']), 'auto'),
    /** Whether provisioning makes, changes and removes those who administer the organization. */
    allowAdministrators: flag(false),
    createUsers: flag(true),
    updateUsers: flag(true),
    deactivateUsers: flag(true),
    deleteUsers: flag(false),
    syncGroups: flag(true),
  },
} as const;
