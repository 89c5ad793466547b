import type { ReplayCache } from '../../../identity/limits/index.ts';
import type { Sessions } from '../../../identity/sessions/index.ts';
import type { SignIn, SignInDependencies } from '../../../identity/signin/index.ts';
import type { OrganizationDirectory, RequireHeard } from '../../../kernel/organizations/index.ts';
import type { AdminDependencies } from '../../../kernel/transactions/index.ts';
import type { ClientAuthenticator, ClientDocuments } from '../clients/index.ts';
import type { ProofChecker } from '../dpop/index.ts';
import type { RemoteKeys } from '../remote-keys/index.ts';
import type { SigningKeys } from '../signing/index.ts';
import type { TokenIssuance, TokenVerifier } from '../tokens/index.ts';

/** What the endpoints of the protocol work with. */
export interface ProtocolDependencies extends AdminDependencies, TokenIssuance {
  readonly directory: OrganizationDirectory;
  readonly authenticator: Pick<ClientAuthenticator, 'authenticate'>;
  /** Clients whose id is the address of a document. */
  readonly documents: Pick<ClientDocuments, 'settle'>;
  readonly keys: SigningKeys;
  /** Of other issuers. */
  readonly remoteKeys: Pick<RemoteKeys, 'verify'>;
  /** Told of every session that was used. */
  readonly sessions: Pick<Sessions, 'touch'>;
  readonly verifier: TokenVerifier;
  /** What may be used once, in all threads. */
  readonly spent: ReplayCache;
  /** On a node of a cluster. */
  readonly requireHeard?: RequireHeard | undefined;
  readonly proofs: Pick<ProofChecker, 'check'>;
}

/** What authorization works with. */
export interface AuthorizationDependencies extends ProtocolDependencies {
  readonly signIn: SignIn;
  /** For the pages. */
  readonly visits: SignInDependencies;
}
