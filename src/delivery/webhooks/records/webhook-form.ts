import type { Catalog } from '../../../kernel/events/index.ts';
import type { Family } from '../../../kernel/lists/index.ts';

/** What the specification lets differ between its three forms of webhooks. */
export interface WebhookForm {
  /** Its catalog, which also tells forms apart in records. */
  readonly catalog: Catalog;
  /** Whose envelopes its answers have. */
  readonly family: Family;
  readonly path: `/${string}`;
  readonly tag: string;
  /** The names of two fields. */
  readonly active: 'enabled' | 'isActive' | 'active';
  readonly secret: 'signingSecret' | 'secret';
  /** What the headers begin with: `x-service-signature`. */
  readonly headerPrefix: 'x-service' | 'x-relata';
  /** Before the hex digits of the signature. */
  readonly signaturePrefix: 'sha256=' | '';
}

/** specification, "Webhook, org family", "Webhook, tenant family", "Webhook, third form", "Headers and signature". */
export const webhookForms: { readonly [Of in Catalog]: WebhookForm } = {
  a: {
    catalog: 'a',
    family: 'org',
    path: '/orgs/{orgId}/api/v1/admin/webhooks',
    tag: 'Webhooks',
    active: 'enabled',
    secret: 'signingSecret',
    headerPrefix: 'x-service',
    signaturePrefix: 'sha256=',
  },
  b: {
    catalog: 'b',
    family: 'tenant',
    path: '/t/{tenant}/api/v1/admin/webhooks',
    tag: 'Webhooks',
    active: 'isActive',
    secret: 'secret',
    headerPrefix: 'x-relata',
    signaturePrefix: '',
  },
  c: {
    catalog: 'c',
    family: 'org',
    path: '/orgs/{orgId}/api/v1/webhooks',
    tag: 'Webhooks',
    active: 'active',
    secret: 'secret',
    headerPrefix: 'x-service',
    signaturePrefix: 'sha256=',
  },
};
