import { BoundedMap } from '#engine';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { Sealer } from '../../../platform/index.ts';
import { SealedParts } from '../records/sealed-parts.ts';
import type { WebhookEntry, WebhookSecret } from '../records/webhook-record.ts';
import { privateKeyOf } from './mint-secret.ts';
import type { OpenSecret } from './signature-headers.ts';

/** Two of each webhook that an organization can have, and more. */
const KNOWN_MAX = 4096;

/** Those of the generations that sign at a time. */
export function validSecrets(secrets: readonly WebhookSecret[], now: number): WebhookSecret[] {
  return secrets.filter(({ endsAt }) => endsAt === undefined || endsAt > now);
}

/** Opens the secrets of webhooks, and remembers those that were opened last: each delivery needs them. */
export class OpenSecrets {
  /** By the sealed text, which is different for each. */
  readonly #known = new BoundedMap<string, OpenSecret>(KNOWN_MAX);

  /** Those that sign at a time, the newest first. @throws SealError */
  at(sealer: Sealer, organization: Organization, { id, document }: WebhookEntry, now: number): OpenSecret[] {
    return validSecrets(document.secrets, now).map((each) => {
      const known = this.#known.get(each.sealed);
      if (known !== undefined) return known;
      const opened = openSecret(new SealedParts(sealer, organization, id), each);
      this.#known.set(each.sealed, opened);
      return opened;
    });
  }
}

function openSecret(parts: SealedParts, { sealed, pair }: WebhookSecret): OpenSecret {
  const text = parts.open('secret', sealed);
  if (pair === undefined) return { text };
  return { text, privateKey: privateKeyOf(parts.open('private_key', pair.sealedPrivateKey)) };
}
