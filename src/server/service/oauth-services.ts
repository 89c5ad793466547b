import { agentUseRecords } from '../../directory/agents/index.ts';
import { actors, agentRecords, agentSubject } from '../../directory/records/index.ts';
import { ReplayCache } from '../../identity/limits/index.ts';
import { type LastUseNotes, lastUseNotes } from '../../kernel/commits/index.ts';
import {
  type ClientAuthDependencies,
  ClientAuthenticator,
  ClientDocuments,
  createClientUse,
  ProofChecker,
  type ProtocolDependencies,
  RemoteKeys,
  SigningKeys,
  TokenVerifier,
} from '../../protocols/oauth/index.ts';
import type { ServiceBasis } from './dependencies.ts';
import type { SessionServices } from './identity-services.ts';

/** What a thread notes of programs: when they were last used, and where a good credential was refused. */
export interface ProgramUse extends Pick<ClientAuthDependencies, 'clientUsed' | 'refusedElsewhere'> {
  readonly clientUse: ReturnType<typeof createClientUse>;
  readonly agentUse: LastUseNotes;
}

export function programUse({ admin: { engine, clock }, failures }: ServiceBasis): ProgramUse {
  const clientUse = createClientUse(engine, clock);
  const agentUse = lastUseNotes(engine, clock, agentUseRecords, agentRecords);
  return {
    clientUse,
    agentUse,
    clientUsed: (store, { id, document }) => (document.kind === 'agent' ? agentUse : clientUse).note(store, id),
    // the key may have been stolen
    refusedElsewhere: (organization, agentId, facts) =>
      failures.note(organization, actors.audited(agentSubject(agentId)), facts, {
        eventType: 'agent.refused',
        action: 'agent.address_refused',
        targetType: 'agent',
        targetId: agentId,
      }),
  };
}

/** One thread's provider: it signs, proves and ends tokens, and knows the clients that ask for them. */
export function oauthDependencies(
  basis: ServiceBasis,
  { sessions, tokens }: SessionServices,
  { clientUsed, refusedElsewhere }: ProgramUse,
): ProtocolDependencies {
  const { admin, reader, sealer, config, memory, guesses, outbound, requireHeard } = basis;
  const { engine, clock, rights } = admin;
  const { baseUrl } = config;
  const spent = new ReplayCache(memory.spent);
  const documents = new ClientDocuments({ ...admin, outbound });
  const clientAuth = { engine, clock, guesses, outbound, documents, clientUsed, refusedElsewhere };
  return {
    ...admin,
    directory: reader.directory,
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
    authenticator: new ClientAuthenticator(clientAuth),
  };
}
