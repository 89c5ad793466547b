import { type Change, type ModelWritten, modelKinds, modelToJson, type Precondition, type Store } from '#engine';
import { ProblemError, problem } from '../../../http/index.ts';
import { audited, type RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import {
  hasAdministrator,
  type Kept,
  keepAdministrator,
  refused,
  requirePermission,
  requireStillValid,
  rightsHolders,
} from '../../../kernel/transactions/index.ts';
import { isPreconditionFailure, settleRaces } from '../../../platform/index.ts';
import type { AuthzDependencies } from '../dependencies.ts';
import type { ReadModel } from '../queries/prepare-model.ts';

type NextModel = Pick<ReadModel, 'source' | 'json' | 'kinds'>;

/** Model versions of one organization; each is kept for good, and their list is read with the organization. */
const MODELS_MAX = 10_000;

/** @throws ProblemError 422 where there are as many versions as there can be */
export function requireRoomForModel(store: Store): void {
  if (store.modelIds().length >= MODELS_MAX) throw refused('There are too many model versions.');
}

/**
 * Makes a prepared model the latest, if an administrator remains and the caller may still write it.
 * @throws ProblemError 401, 403, 422
 */
export async function writeModel(
  dependencies: AuthzDependencies,
  caller: Caller,
  facts: RequestFacts,
  model: NextModel,
): Promise<ModelWritten> {
  const supposed = supposedModel(caller, model);
  // meanwhile another command may remove the administrator that the model relied on
  const { written, before } = await settleRaces(async () => {
    const judged = judgeModel(dependencies, caller, supposed);
    const entry = audited(dependencies.audit, caller, facts, { eventType: 'admin.action', action: 'model.write' });
    const options = { also: [...judged.changes, ...entry], preconditions: judged.preconditions };
    return {
      written: await caller.organization.store.writePreparedModel(model.source, model, options),
      before: judged.before,
    };
  });
  if (before !== undefined) await requireStays(dependencies, caller, facts, written.modelId, before);
  return written;
}

/** What a model would change, to be judged. Made once for a request: the engine compiles it once. */
export function supposedModel(caller: Caller, { source, json, kinds }: NextModel): readonly Change[] {
  const { name } = caller.organization.store;
  return [{ op: 'write_model', store: name, model: { id: 'next', source, json, kinds } }];
}

/**
 * The preconditions of a model.
 * @throws ProblemError 401, 403 where the right of the caller has ended; 422 where no administrator would remain
 */
export function judgeModel(
  { engine, clock, ...dependencies }: AuthzDependencies,
  caller: Caller,
  changes: readonly Change[],
): Kept & { readonly before: string | undefined } {
  const { organization } = caller;
  const { store } = organization;
  return engine.read(() => {
    requireStillValid(caller);
    requirePermission(caller, 'settings.manage');
    requireRoomForModel(store);
    const kept = keepAdministrator(dependencies, organization, {
      changes,
      holders: rightsHolders(caller),
      now: clock.now(),
    });
    const before = store.latestModelId();
    // of two that are written at the same moment, the second counts the first
    const isLatest: Precondition = { require: 'latest_model', store: store.name, modelId: before ?? null };
    return {
      ...kept,
      preconditions: [...kept.preconditions, ...(caller.credentialPreconditions?.() ?? []), isLatest],
      before,
    };
  });
}

/**
 * Since this model was judged, a tuple may have been written that did not matter to rights under the former model.
 * Later tuples are judged by this model. So it asks once more who administers, and puts the former model back where
 * nobody does.
 * @throws ProblemError 422
 */
async function requireStays(
  { engine, clock, audit, ...dependencies }: AuthzDependencies,
  caller: Caller,
  facts: RequestFacts,
  modelId: string,
  before: string,
): Promise<void> {
  const { organization } = caller;
  const { store } = organization;
  const former = engine.read(() =>
    hasAdministrator(dependencies, organization, clock.now()) ? undefined : store.model(before),
  );
  if (former === undefined) return;
  const { source, model } = former;
  const reason = 'A tuple that was written at the same moment would remove the last administrator.';
  const metadata = { reason, refusedModel: modelId, restoredModel: before };
  const also = audited(audit, caller, facts, { eventType: 'admin.action', action: 'model.restore', metadata });
  try {
    await store.writePreparedModel(
      source,
      { json: modelToJson(model), kinds: modelKinds(model) },
      { also, preconditions: [{ require: 'latest_model', store: store.name, modelId }] },
    );
  } catch (error) {
    // a later model has taken its place, and who wrote that one has asked
    if (isPreconditionFailure(error)) return;
    throw error;
  }
  throw new ProblemError(problem('refused', `${reason} The former model is in force again.`));
}
