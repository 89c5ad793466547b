import { z } from 'zod';
import { catalogNames, ownNames } from '../../../kernel/events/index.ts';
import { descriptionSchema, writableBody } from '../../../kernel/transactions/index.ts';
import type { WebhookForm } from '../records/webhook-form.ts';
import { standardKey } from '../signing/secret-key.ts';
import { headerNameRule, headerValue, isFreeHeader, isHeaderName } from './header-rules.ts';

const URL_MAX = 2048;
const EVENTS_MAX = 100;
const RESOURCES_MAX = 100;
const HEADERS_MAX = 20;
const HEADER_VALUE_MAX = 1024;
const SECRET_MIN = 8;
const SECRET_MAX = 256;
const PEM_MAX = 16_384;
/** A day, where nothing else is said; at most a week. */
const OLD_SECRET_SECONDS = 86_400;
const OLD_SECRET_SECONDS_MAX = 604_800;

/** Stands for a secret where a webhook is shown. Sent back, it keeps what there is. */
export const MASK = '********';

const oneLine = /^[^\p{Cc}\p{Cs}]*$/u;
const unique = (values: readonly string[]): boolean => new Set(values).size === values.length;

const url = z.string().min(1).max(URL_MAX).describe('https, without user name or fragment');
const resource = z
  .string()
  .max(256)
  .regex(/^[a-z][a-z0-9_]*:[^\p{Cc}\p{Cs}\s]+$/u, 'must be a type and an id: user:42');
const headers = z
  .record(z.string(), z.string().min(1).max(HEADER_VALUE_MAX).regex(headerValue, 'must be visible ASCII'))
  .superRefine((value, context) => {
    const names = Object.keys(value);
    const refuse = (message: string, path: string[] = []) => context.addIssue({ code: 'custom', message, path });
    if (names.length > HEADERS_MAX) refuse(`must be at most ${HEADERS_MAX} headers`);
    if (!unique(names.map((name) => name.toLowerCase()))) refuse('must not contain duplicates');
    for (const name of names) {
      if (!isHeaderName(name)) refuse(headerNameRule, [name]);
      else if (!isFreeHeader(name)) refuse('belongs to the service or to the connection', [name]);
    }
  })
  .describe(`Sent with each delivery, at most ${HEADERS_MAX}. Shown as ${MASK}; sent back so, a value stays`);

const credential = z.string().min(1).max(1024).regex(oneLine, 'must be text without control characters');
const authentication = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: z.literal('oauth').describe('A token by client credentials (RFC 6749, 4.4)'),
        tokenUrl: url,
        clientId: credential,
        clientSecret: credential.describe('Shown masked; sent back so, it stays').optional(),
        scope: credential.optional(),
      })
      .meta({ id: 'WebhookTokenCredential' }),
    z
      .strictObject({
        type: z.literal('mtls').describe('A certificate of the client'),
        certificate: z.string().min(1).max(PEM_MAX).describe('PEM, with what it is signed by'),
        privateKey: z.string().min(1).max(PEM_MAX).describe('PEM; shown masked; sent back so, it stays').optional(),
      })
      .meta({ id: 'WebhookCertificate' }),
  ])
  .describe('How requests say who they are, beside their signature');

/** A short text is refused by its length: this is about what `whsec_` and base64 stand for. */
const hasLongKey = (text: string): boolean => text.length < SECRET_MIN || standardKey(text).length >= SECRET_MIN;

const secret = z
  .string()
  .min(SECRET_MIN)
  .max(SECRET_MAX)
  .regex(oneLine, 'must be text without control characters')
  .refine(hasLongKey, `must have ${SECRET_MIN} bytes or more behind whsec_`)
  .describe('Your own; made by the service if omitted');

export type AuthenticationInput = z.output<typeof authentication>;

/** What can be said of a webhook, in the words of no form. */
export interface WebhookInput {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly payload?: 'full' | 'thin' | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly authentication?: AuthenticationInput | null | undefined;
  readonly asymmetric?: boolean | undefined;
  readonly isActive?: boolean | undefined;
}

export interface NewWebhook extends WebhookInput {
  readonly url: string;
  readonly events: readonly string[];
  readonly secret?: string | undefined;
}

function fieldsOf({ catalog, active }: WebhookForm) {
  const unknownEvent = `must be * or an event of catalog ${catalog}, which GET /admin/events/types lists`;
  const events = z
    .array(z.enum(['*', ...catalogNames[catalog], ...ownNames], { error: unknownEvent }))
    .min(1)
    .max(EVENTS_MAX)
    .refine(unique, 'must name each event once')
    .describe('Names of events; `*` is all of them');
  const others = {
    description: descriptionSchema.optional(),
    resources: z
      .array(resource)
      .max(RESOURCES_MAX)
      .refine(unique, 'must name each resource once')
      .describe('Only events about one of these, such as `user:42`; about anything where it is empty')
      .optional(),
    payload: z.enum(['full', 'thin']).describe('`thin`: ids alone, without `data`').optional(),
    headers: headers.optional(),
    authentication: authentication.nullable().optional(),
    asymmetric: z.boolean().describe('Signs with Ed25519 too (`v1a`)').optional(),
    [active]: z.boolean().optional(),
  };
  return { events, others };
}

/** Of a creation. */
export function newWebhookBody(form: WebhookForm): z.ZodType<NewWebhook> {
  const { events, others } = fieldsOf(form);
  const body = z.strictObject({ url, events, ...others, [form.secret]: secret.optional() });
  return body.transform((value) => plainInput(form, value) as unknown as NewWebhook); // as the schema has made sure
}

const shownOnly = [
  'id',
  'publicKeys',
  'secrets',
  'disabledReason',
  'disabledAt',
  'failureCount',
  'deliveredCount',
  'failedCount',
  'lastDeliveredAt',
  'lastFailedAt',
  'createdBy',
  'createdAt',
  'updatedAt',
];

/** Of PUT and PATCH. */
export function changedWebhookBody(form: WebhookForm): z.ZodType<WebhookInput> {
  const { events, others } = fieldsOf(form);
  const body = writableBody({ url: url.optional(), events: events.optional(), ...others }, shownOnly);
  return body.transform((value) => plainInput(form, value) as WebhookInput);
}

/** The fields that each form calls by a name of its own. */
function plainInput({ active, secret: secretField }: WebhookForm, value: object): object {
  const { [active]: isActive, [secretField]: given, ...rest } = value as Record<string, unknown>;
  return { ...rest, isActive, ...(given === undefined ? {} : { secret: given }) };
}

/** Of a rotation. */
export const rotationBody = z
  .strictObject({
    expireOldAfterSeconds: z
      .int()
      .min(0)
      .max(OLD_SECRET_SECONDS_MAX)
      .default(OLD_SECRET_SECONDS)
      .describe('How long the old secret still signs, beside the new one'),
    secret: secret.optional(),
  })
  .default({ expireOldAfterSeconds: OLD_SECRET_SECONDS });
