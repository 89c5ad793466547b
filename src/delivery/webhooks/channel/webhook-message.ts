import type { Catalog, EventTypes, StoredEvent } from '../../../kernel/events/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { Message } from '../../dispatch/index.ts';
import type { WebhookRecord } from '../records/webhook-record.ts';

export const CONTENT_TYPE = 'application/json';

/** An event in one catalog: what is the same for every webhook of its form. */
interface Told {
  readonly type: string;
  readonly resources: readonly string[];
  readonly full: string;
  readonly thin: string;
}

/** What events are to webhooks. One event goes to many, so that it is worded once for each catalog. */
export class WebhookMessages {
  readonly #types: () => EventTypes;
  readonly #told = new WeakMap<StoredEvent, Map<Catalog, Told | undefined>>();

  constructor(types: () => EventTypes) {
    this.#types = types;
  }

  /** Undefined where the webhook does not want it, or its catalog has no such event. */
  of(organization: Organization, webhook: WebhookRecord, event: StoredEvent): Message | undefined {
    const { form, events, resources, payload } = webhook;
    const told = this.#tell(organization, form, event);
    if (told === undefined || !(events.includes('*') || events.includes(told.type))) return undefined;
    if (resources.length > 0 && !told.resources.some((each) => resources.includes(each))) return undefined;
    return { type: told.type, resources: told.resources, payload: told[payload], contentType: CONTENT_TYPE };
  }

  #tell(organization: Organization, catalog: Catalog, event: StoredEvent): Told | undefined {
    const known = this.#told.get(event) ?? new Map<Catalog, Told | undefined>();
    if (known.size === 0) this.#told.set(event, known);
    if (known.has(catalog)) return known.get(catalog);
    const types = this.#types();
    const body = types.payload(catalog, organization, event);
    const told = body && toldAs(body, types.about(event));
    known.set(catalog, told);
    return told;
  }
}

/** @param body in the form of its catalog, which has `type` and `data` whatever it is */
export function toldAs(body: object, resources: readonly string[]): Told {
  const { data, ...rest } = body as { readonly type: string; readonly data: object };
  return { type: rest.type, resources, full: JSON.stringify(body), thin: JSON.stringify({ ...rest, resources }) };
}
