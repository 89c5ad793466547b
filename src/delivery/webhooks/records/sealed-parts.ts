import type { Organization } from '../../../kernel/organizations/index.ts';
import type { SealBinding, Sealer } from '../../../platform/index.ts';
import { webhookRecords } from './webhook-record.ts';

/** What of a webhook is sealed. */
type SealedField = 'secret' | 'private_key' | 'authentication' | `header.${string}`;

/** The secret parts of one webhook, which open there and nowhere else. */
export class SealedParts {
  readonly #sealer: Sealer;
  readonly #organization: string;
  readonly #record: string;

  constructor(sealer: Sealer, { id: organization }: Pick<Organization, 'id'>, id: string) {
    this.#sealer = sealer;
    this.#organization = organization;
    this.#record = `${webhookRecords.collection}/${id}`;
  }

  seal(field: SealedField, plain: string): string {
    return this.#sealer.seal(plain, this.#binding(field));
  }

  /** @throws SealError where it was sealed by another key, or elsewhere */
  open(field: SealedField, sealed: string): string {
    return this.#sealer.open(sealed, this.#binding(field));
  }

  #binding(field: SealedField): SealBinding {
    return { organization: this.#organization, record: this.#record, field };
  }
}
