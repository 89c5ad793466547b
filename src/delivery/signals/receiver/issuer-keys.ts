import { z } from 'zod';
import type { Clock, OutboundGuard } from '../../../platform/index.ts';
import { FetchedDocuments, KeysUnavailableError, RemoteKeys } from '../../../protocols/oauth/index.ts';
import type { IssuerRecord } from './records/issuer-record.ts';

/** Members beside these are not looked at (SSF 1.0, 7.1). */
const metadata = z.object({ issuer: z.string().max(2048), jwks_uri: z.string().max(2048) });

type Metadata = z.output<typeof metadata>;
type KeySet = Parameters<Parameters<RemoteKeys['verify']>[1]>[0];

/**
 * The keys of the issuers that organizations have named. Nobody else's are ever fetched: a flood of tokens costs one
 * request in half a minute.
 */
export class IssuerKeys {
  readonly #keys: RemoteKeys;
  readonly #metadata: FetchedDocuments<Metadata>;

  constructor({ outbound, clock }: { readonly outbound: OutboundGuard; readonly clock: Clock }) {
    this.#keys = new RemoteKeys(outbound, clock);
    this.#metadata = new FetchedDocuments(outbound, clock, (value) => metadata.safeParse(value).data);
  }

  /**
   * @param verify throws a `JOSEError` where it is not proved
   * @throws JOSEError as `verify` does; KeysUnavailableError
   */
  async verify<T>(issuer: IssuerRecord, verify: (keys: KeySet) => Promise<T>): Promise<T> {
    return this.#keys.verify({ jwksUri: issuer.jwksUri ?? (await this.#discovered(issuer)) }, verify);
  }

  async #discovered({ issuer }: IssuerRecord): Promise<string> {
    const url = metadataUrl(issuer);
    for (const again of [false, true]) {
      const found = (await this.#metadata.of(url, again))?.document;
      // otherwise one issuer could speak for another
      if (found?.issuer === issuer) return found.jwks_uri;
    }
    throw new KeysUnavailableError();
  }
}

/** In front of the path (SSF 1.0, 7.2). */
function metadataUrl(issuer: string): string {
  const { origin, pathname } = new URL(issuer);
  return `${origin}/.well-known/ssf-configuration${pathname.replace(/\/$/, '')}`;
}
