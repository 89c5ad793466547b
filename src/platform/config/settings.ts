import { z } from 'zod';
import { parseRange } from '../network/address-list.ts';
import { smsFormats } from '../sms/sms-gateway.ts';
import { clusterSettings, requireUsable } from './cluster-settings.ts';

const bytes = z.int().min(1024).max(1_073_741_824);
const milliseconds = z.int().min(0).max(3_600_000);
const count = z.int().min(1).max(10_000_000);
const rate = z.int().min(0).max(1_000_000_000);

/** Bounds of one request. Each is also a variable `RELATA_LIMIT_<NAME>`, for example `RELATA_LIMIT_BODY_BYTES`. */
const limits = z.strictObject({
  bodyBytes: bytes.describe('Largest JSON or form body'),
  modelBytes: bytes.describe('Largest text of an authorization model'),
  headerBytes: bytes.describe('Largest request head; uWebSockets.js fixes its own at 4 KB'),
  connections: z
    .int()
    .min(0)
    .max(10_000_000)
    .describe('Most open connections; 0 means as many as the limit of open files allows'),
  connectionsPerAddress: z
    .int()
    .min(0)
    .max(10_000_000)
    .describe('Most open connections of one address (not under uWebSockets.js); 0 means half of all'),
  headersTimeoutMs: milliseconds.describe('Time in which the request head must be complete (not under uWebSockets.js)'),
  bodyTimeoutMs: milliseconds.min(100).describe('Time in which the body must be complete'),
  idleTimeoutMs: milliseconds.describe('How long an idle keep-alive connection is kept (not under uWebSockets.js)'),
  drainMs: milliseconds.describe('Longest wait for requests in flight at shutdown'),
  drainDelayMs: milliseconds.describe('How long `/readyz` fails on SIGTERM before the port closes, for load balancers'),
  heartbeatMs: milliseconds.min(100).max(8000).describe('Gap between the comments that keep an event stream open'),
  jsonDepth: z.int().min(4).max(512).describe('Deepest nesting of a JSON body'),
  queryParameters: count.describe('Most parameters in one query string or form'),
  validationErrors: count.describe('Most entries of `errors` in one problem'),
  checkBulk: count.describe('Most checks of one bulk request'),
  checkMany: count.describe('Most permissions of one check-any or check-all'),
  contextBytes: bytes.describe('Largest context of one check, as JSON'),
  contextualTuples: count.describe('Most contextual tuples of one check'),
  tuplesPerWrite: count.describe('Most writes and deletes of one tuple request'),
  pageSize: count.describe('Largest page of a list query'),
  watchers: count.describe('Most open change streams of one thread'),
  watchersPerOrganization: count.describe('Most open change streams of one organization, over all threads'),
  watchersPerCredential: count.describe('Most open change streams of one credential, over all threads'),
  unreadMs: milliseconds.min(100).describe('How long a client may take to read a part of a change stream'),
  unreadBytes: bytes.describe('Most unread bytes of all change streams of one thread'),
  evaluationDepth: z.int().min(1).max(1000).describe('Deepest evaluation of one decision'),
  evaluationNodes: count.describe('Most nodes one decision may visit'),
  evaluationTimeMs: milliseconds.min(1).describe('Longest evaluation of one decision'),
  queryTimeMs: milliseconds.min(1).describe('Longest list, expansion or other query of the pool'),
  queriesPerOrganization: count.describe('Most queries of one organization that may wait for the pool'),
  tasksPerOrganization: count.describe('Most long writes of one organization, such as bulk requests, that may wait'),
  rateDecisions: rate.describe('Decisions of one credential in a minute; 0 is no limit'),
  rateOrdinary: rate.describe('Other requests of one credential in a minute; 0 is no limit'),
  rateExpensive: rate.describe('Exports, models and mass changes of one credential in a minute; 0 is no limit'),
  ratePublic: rate.describe('Requests of one address in a minute that need no credential; 0 is no limit'),
  rateRefused: rate.describe('Refused credentials of one address in a minute; 0 is no limit'),
  changeLogBytes: bytes.describe(
    'Size of the change log; beyond it, the organization with the largest share loses its oldest changes',
  ),
  changeLogBytesPerOrganization: bytes.describe('Largest share of the change log for one organization'),
  changeLogMs: z.int().min(60_000).max(31_536_000_000).describe('How long changes are kept in the change log'),
  eventRetentionMs: z
    .int()
    .min(60_000)
    .max(31_536_000_000)
    .describe('How long events are kept, for webhooks and whoever else follows them'),
  eventsPerOrganization: count.describe('Most events kept for one organization; beyond it, the oldest go first'),
  deliveryRetentionMs: z
    .int()
    .min(60_000)
    .max(31_536_000_000)
    .describe('How long deliveries of webhooks and their answers are kept'),
  deliveriesPerOrganization: count.describe(
    'Most deliveries kept for one organization; beyond it, ended ones go first, the oldest of them',
  ),
  deliveryFailures: count.describe('Failed deliveries in a row that disable a webhook'),
  deliveryFailingMs: z.int().min(0).max(31_536_000_000).describe('Time that these failures must span at least'),
  endedSessionMs: z.int().min(0).max(31_536_000_000).describe('How long ended sessions stay in lists'),
});

const secret = z.string().min(32, 'must have at least 32 characters').max(512);

/** What goes into a header of a request. */
const headerText = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII');

/** Of these schemes, with a host. */
function url(schemes: RegExp, expected: string): z.ZodType<string> {
  return z
    .string()
    .max(2048)
    .refine((text) => URL.canParse(text) && schemes.test(text) && new URL(text).hostname !== '', `must be ${expected}`);
}

/** Issuers and links begin with it (OpenID Connect Discovery, 3: no query and no fragment). */
function isPlain(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password } = new URL(text);
  return !/[?#]/.test(text) && username === '' && password === '';
}

const range = z.string().refine((text) => parseRange(text) !== undefined, 'must be an IP address or a CIDR range');

/** Every setting, in the shape of `config/default.json`. `null` means "derive it" and is resolved in `loadConfig`. */
export const settingsSchema = z
  .strictObject({
    host: z.string().min(1),
    port: z.int().min(0).max(65535),
    baseUrl: url(/^https?:\/\//i, 'an http or https URL')
      .refine(isPlain, 'must have no query, fragment or user')
      .nullable(),
    dataDir: z.string().min(1),
    threads: z.int().min(1).max(256).nullable(),
    transport: z.enum(['auto', 'socket', 'uws']),
    demo: z.boolean(),
    platformKey: secret.nullable(),
    masterKey: secret.nullable(),
    /** Bearer token for `/metrics`; without it anybody may read them. */
    metricsToken: secret.nullable(),
    /** `host:port`: the metrics are served there, and no longer beside the interface. */
    metricsAddress: z
      .string()
      .max(300)
      .regex(/^(?:\[[\da-f:.]+\]|[\w.-]+):\d{1,5}$/i, 'must be host:port')
      .refine((text) => Number(/\d+$/.exec(text)?.[0]) <= 65_535, 'must have a port up to 65535')
      .nullable(),
    ...clusterSettings,
    trustedProxies: z.array(range).max(1000),
    smtpUrl: url(/^smtps?:\/\//i, 'an smtp or smtps URL with a host').nullable(),
    /** The provider of short messages, for organizations that bring none. */
    smsUrl: url(/^https?:\/\//i, 'an http or https URL').nullable(),
    smsFormat: z.enum(smsFormats),
    smsFrom: headerText.nullable(),
    smsUser: headerText.nullable(),
    smsPassword: headerText.nullable(),
    smsToken: headerText.nullable(),
    allowPrivateUrls: z.boolean(),
    /** A database of places in the MaxMind format, from which sessions get theirs. */
    geoDatabase: z.string().min(1).max(4096).nullable(),
    logLevel: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    /** `errors`: answers from 500 on; `4xx`: from 400 on. */
    accessLog: z.enum(['off', 'errors', '4xx', 'all']),
    limits,
  })
  .superRefine(requireUsable);

export type Settings = z.output<typeof settingsSchema>;
export type Limits = Settings['limits'];

/** The settings with everything derived: what the rest of the service reads. */
export interface Config extends Settings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly threads: number;
}
