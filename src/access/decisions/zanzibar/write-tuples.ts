import { type CommitResult, EngineError, formatTuple, type Precondition, type Tuple } from '#engine';
import { readSettings } from '../../../directory/settings/index.ts';
import { audited, type RequestFacts } from '../../../kernel/audit/index.ts';
import { recordEvent } from '../../../kernel/events/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { isPreconditionFailure, settleRaces } from '../../../platform/index.ts';
import { requireSmall } from '../context/supplied.ts';
import { readTuple, type TupleForm } from '../context/tuple-form.ts';
import type { AuthzDependencies } from '../dependencies.ts';
import { authorizeSystemTuples } from './authorize-system-tuples.ts';
import type { WriteBody } from './bodies.ts';
import { tupleTrail } from './tuple-trail.ts';

/**
 * `POST /zanzibar/tuples`: one commit, or none of it.
 * @param request asked once, before anything is waited for, and only where an entry is to be written
 */
export async function writeTuples(
  dependencies: AuthzDependencies,
  caller: Caller,
  request: () => RequestFacts,
  body: WriteBody,
): Promise<CommitResult> {
  const writes = readAll(dependencies, body.writes, 'writes');
  const deletes = readAll(dependencies, body.deletes, 'deletes');
  requireUsable(dependencies, writes, deletes);
  const { store } = caller.organization;
  const own = body.preconditions.map(({ require, tuple }, index): Precondition => {
    return { require, store: store.name, tuple: readTuple(tuple, `preconditions[${index}].tuple`) };
  });
  let known: RequestFacts | undefined;
  const facts = (): RequestFacts => {
    known ??= request();
    return known;
  };
  const attempt = (): Promise<CommitResult> => {
    const now = dependencies.clock.now();
    const { passage, trail } = dependencies.engine.read(() => {
      const authorized = authorizeSystemTuples(dependencies, caller, { writes, deletes }, now);
      return { passage: authorized, trail: tupleTrail(readSettings(store).audit.tuples, authorized.others) };
    });
    const { tellings } = passage;
    const entries = [...tellings.map(({ entry }) => entry), ...trail].flatMap((entry) =>
      audited(dependencies.audit, caller, facts(), entry),
    );
    const events = tellings.flatMap(({ event }) =>
      event === undefined ? [] : [recordEvent(dependencies.audit, store, event)],
    );
    return store.write({
      writes,
      deletes,
      preconditions: [...own, ...passage.preconditions],
      judgedModelId: passage.judgedModelId,
      also: [...passage.changes, ...entries, ...events],
    });
  };
  return await settleRaces(
    attempt,
    (error) => isRace(error) || (isPreconditionFailure(error) && !isOwn(error, own.length)),
  );
}

/** A model that was written meanwhile, or a record that the tuples make and that another command has made. */
function isRace(error: unknown): boolean {
  return error instanceof EngineError && (error.code === 'model_changed' || error.code === 'conflict');
}

/** Does one of the caller's own preconditions not hold? They come first. */
function isOwn(error: unknown, count: number): boolean {
  if (!(error instanceof EngineError)) return false;
  const index = /^preconditions\/(\d+)$/.exec(String(error.details.path))?.[1];
  return Number(index) < count;
}

function readAll(dependencies: AuthzDependencies, forms: readonly TupleForm[], field: string): Tuple[] {
  return forms.map((form, index) => {
    const path = `${field}[${index}]`;
    const tuple = readTuple(form, path);
    if (tuple.condition?.context !== undefined) {
      requireSmall(tuple.condition.context, dependencies.limits, `${path}.condition.context`);
    }
    return tuple;
  });
}

function requireUsable(dependencies: AuthzDependencies, writes: readonly Tuple[], deletes: readonly Tuple[]): void {
  const count = writes.length + deletes.length;
  const max = dependencies.limits.tuplesPerWrite;
  if (count === 0) throw new EngineError('invalid_argument', 'there is nothing to write', { path: 'writes' });
  if (count > max) throw new EngineError('too_large', `at most ${max} writes and deletes`, { path: 'writes', max });
  const written = new Set(writes.map(formatTuple));
  const index = deletes.findIndex((tuple) => written.has(formatTuple(tuple)));
  if (index >= 0) {
    const path = `deletes[${index}]`;
    throw new EngineError('invalid_argument', 'a tuple cannot be written and deleted at once', { path });
  }
}
