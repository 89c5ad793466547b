import type { Engine } from '#engine';
import { agentUseRecords } from '../../../directory/agents/index.ts';
import { agentRecords } from '../../../directory/records/index.ts';
import type { FailureLog } from '../../../kernel/audit/index.ts';
import { type LastUseNotes, lastUseNotes } from '../../../kernel/commits/index.ts';
import type { Clock } from '../../../platform/index.ts';
import { type ClientAuthDependencies, createClientUse } from '../../../protocols/oauth/index.ts';

/** What a thread notes of programs: when they were last used, and where a good credential was refused. */
export interface ProgramUse extends Pick<ClientAuthDependencies, 'clientUsed' | 'refusedElsewhere'> {
  readonly clientUse: ReturnType<typeof createClientUse>;
  readonly agentUse: LastUseNotes;
}

export function programUse(engine: Engine, clock: Clock, failures: FailureLog): ProgramUse {
  const clientUse = createClientUse(engine, clock);
  const agentUse = lastUseNotes(engine, clock, agentUseRecords, agentRecords);
  return {
    clientUse,
    agentUse,
    clientUsed: (store, { id, document }) => (document.kind === 'agent' ? agentUse : clientUse).note(store, id),
    // the key may have been stolen
    refusedElsewhere: (organization, agentId, facts) =>
      failures.note(organization, { id: agentId, type: 'agent' }, facts, {
        eventType: 'agent.refused',
        action: 'agent.address_refused',
        targetType: 'agent',
        targetId: agentId,
      }),
  };
}
