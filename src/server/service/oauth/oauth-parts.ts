import type { AuditMaker } from '../../../audit/index.ts';
import type { Guesses } from '../../../limits/index.ts';
import { ClientAuthenticator, type ProtocolParts, SigningKeys, TokenVerifier } from '../../../oauth/index.ts';
import { type Config, OutboundGuard, type Sealer } from '../../../platform/index.ts';
import type { Tokens } from '../../../sessions/index.ts';
import type { ReaderParts } from '../../threads/open-reader.ts';
import { adminParts } from '../admin-parts.ts';

interface OAuthBasis {
  readonly reader: ReaderParts;
  readonly audit: AuditMaker;
  readonly sealer: Sealer;
  readonly config: Config;
  readonly guesses: Guesses;
  readonly tokens: Tokens;
  readonly clientUsed: (store: string, clientId: string) => void;
}

/** One thread's provider: it signs, proves and ends tokens, and knows the clients that ask for them. */
export function oauthParts({ reader, audit, sealer, config, guesses, tokens, clientUsed }: OAuthBasis): ProtocolParts {
  const admin = adminParts(reader, audit);
  const { engine, clock, directory } = reader;
  const { baseUrl, allowPrivateUrls } = config;
  const outbound = new OutboundGuard(allowPrivateUrls);
  return {
    ...admin,
    directory,
    baseUrl,
    tokens,
    sealer,
    keys: new SigningKeys({ ...admin, sealer }),
    verifier: new TokenVerifier({ engine, clock, baseUrl }),
    authenticator: new ClientAuthenticator({ engine, clock, guesses, outbound, clientUsed }),
  };
}
