import { expect } from 'vitest';
import type { Answer, Organization } from '../../server/running-service.ts';

/** The three forms of the specification, as a caller meets them. */
export const forms = [
  { form: 'a', base: 'orgs', path: '/admin/webhooks', active: 'enabled', secret: 'signingSecret', data: 'data.data' },
  { form: 'b', base: 't', path: '/admin/webhooks', active: 'isActive', secret: 'secret', data: 'data' },
  { form: 'c', base: 'orgs', path: '/webhooks', active: 'active', secret: 'secret', data: 'data.data' },
] as const;

export type Form = (typeof forms)[number];

export interface Made {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** The webhooks of one form in one organization. */
export class InForm {
  readonly org: Organization;
  readonly form: Form;

  constructor(org: Organization, form: Form) {
    this.org = org;
    this.form = form;
  }

  /** @param path below the webhooks: `/{id}/enable` */
  call(method: string, path = '', body?: unknown, key = this.org.key): Promise<Answer> {
    const { base, path: all } = this.form;
    return this.org.service.call(method, `/${base}/${this.org.slug}/api/v1${all}${path}`, { key, body });
  }

  /** Requires success, and answers what is inside of the envelope. */
  async make(method: string, path: string, body?: unknown): Promise<Made> {
    const answer = await this.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.at(this.form.data) as Made;
  }

  wrapped(item: unknown): unknown {
    return this.form.data === 'data.data' ? { data: { data: item } } : { data: item };
  }

  created(item: unknown): unknown {
    return this.form.data === 'data.data' ? { data: { data: item } } : { data: item, message: expect.any(String) };
  }
}
