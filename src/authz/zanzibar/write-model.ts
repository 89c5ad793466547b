import type { Change, ModelSource, ModelWritten, PreparedModel } from '#engine';
import { type Kept, keepAdministrator } from '../../admin/index.ts';
import { audited, type RequestFacts } from '../../audit/index.ts';
import type { Caller } from '../../orgs/index.ts';
import { settleRaces } from '../../platform/index.ts';
import type { AuthzParts } from '../parts.ts';

/**
 * Makes a prepared model the latest, if an administrator remains.
 * @throws ProblemError 422
 */
export function writeModel(
  parts: AuthzParts,
  caller: Caller,
  facts: RequestFacts,
  source: ModelSource,
  prepared: PreparedModel,
): Promise<ModelWritten> {
  // meanwhile another command may remove the administrator that the model relied on
  return settleRaces(() => {
    const kept = keptBy(parts, caller, source, prepared);
    const entry = audited(parts.audit, caller, facts, { eventType: 'admin.action', action: 'model.write' });
    const options = { also: [...kept.changes, ...entry], preconditions: kept.preconditions };
    return caller.organization.store.writePreparedModel(source, prepared, options);
  });
}

/**
 * What a model rests on.
 * @throws ProblemError 422 where no administrator would remain
 */
export function keptBy(parts: AuthzParts, caller: Caller, source: ModelSource, { json, kinds }: PreparedModel): Kept {
  const { organization } = caller;
  const model = { id: 'next', source, json, kinds };
  const changes: Change[] = [{ op: 'write_model', store: organization.store.name, model }];
  return parts.engine.read(() => keepAdministrator(parts, organization, { changes, now: parts.clock.now() }));
}
