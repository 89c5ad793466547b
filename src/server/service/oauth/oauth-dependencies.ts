import { type Guesses, ReplayCache } from '../../../identity/limits/index.ts';
import type { Sessions, Tokens } from '../../../identity/sessions/index.ts';
import type { AuditMaker } from '../../../kernel/audit/index.ts';
import type { RequireHeard } from '../../../kernel/organizations/index.ts';
import { type Config, OutboundGuard, type Sealer } from '../../../platform/index.ts';
import {
  type ClientAuthDependencies,
  ClientAuthenticator,
  ClientDocuments,
  ProofChecker,
  type ProtocolDependencies,
  RemoteKeys,
  SigningKeys,
  TokenVerifier,
} from '../../../protocols/oauth/index.ts';
import type { ReaderDependencies } from '../../threads/open-reader.ts';
import type { ServiceMemory } from '../../threads/service-memory.ts';
import { adminDependencies } from '../admin-dependencies.ts';

interface OAuthBasis {
  readonly reader: ReaderDependencies;
  readonly audit: AuditMaker;
  readonly sealer: Sealer;
  readonly config: Config;
  readonly memory: ServiceMemory;
  readonly guesses: Guesses;
  readonly sessions: Pick<Sessions, 'touch'>;
  readonly tokens: Tokens;
  readonly requireHeard: RequireHeard | undefined;
  readonly clientUsed: ClientAuthDependencies['clientUsed'];
  readonly refusedElsewhere: ClientAuthDependencies['refusedElsewhere'];
}

/** One thread's provider: it signs, proves and ends tokens, and knows the clients that ask for them. */
export function oauthDependencies(basis: OAuthBasis): ProtocolDependencies {
  const {
    reader,
    audit,
    sealer,
    config,
    memory,
    guesses,
    sessions,
    tokens,
    clientUsed,
    refusedElsewhere,
    requireHeard,
  } = basis;
  const admin = adminDependencies(reader, audit);
  const { engine, clock, directory, rights } = reader;
  const { baseUrl, allowPrivateUrls } = config;
  const spent = new ReplayCache(memory.spent);
  const outbound = new OutboundGuard(allowPrivateUrls);
  const documents = new ClientDocuments({ ...admin, outbound });
  return {
    ...admin,
    directory,
    baseUrl,
    sessions,
    tokens,
    sealer,
    keys: new SigningKeys({ ...admin, sealer }),
    remoteKeys: new RemoteKeys(outbound, clock),
    spent,
    proofs: new ProofChecker(clock, spent, config.clusterUrl === null ? undefined : engine),
    verifier: new TokenVerifier({ engine, clock, rights, baseUrl, requireHeard }),
    requireHeard,
    documents,
    authenticator: new ClientAuthenticator({
      engine,
      clock,
      guesses,
      outbound,
      documents,
      clientUsed,
      refusedElsewhere,
    }),
  };
}
