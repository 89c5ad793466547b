import { setTimeout as sleep } from 'node:timers/promises';
import { type ChangePage, EngineError, type StoreChangeEntry } from '#engine';
import { eventStream, type Problem, problem, type Reply, type ServerEvent } from '../../http/index.ts';
import type { Caller } from '../../orgs/index.ts';
import { revisionOf, tokenOf } from '../context/token.ts';
import { tupleForm } from '../context/tuple-form.ts';
import type { AuthzParts } from '../parts.ts';

/** How often a quiet stream looks whether the revision has moved: one load of a shared counter. */
const POLL_MS = 20;
const PAGE = 100;
/** How often a quiet stream looks whether its credential has expired; a commit makes it look at once. */
const EXPIRY_MS = 1000;

let open = 0;

/** `GET /zanzibar/watch`: the changes of an organization's tuples and models, commit by commit. */
export function watchChanges(parts: AuthzParts, caller: Caller, after: string | undefined): Reply<never> | Problem {
  if (open >= parts.limits.watchers) {
    return problem('rate_limited', 'Too many streams are open.', { headers: { 'retry-after': '5' } });
  }
  const { store } = caller.organization;
  const start = parts.engine.read(() => {
    if (after === undefined) return parts.engine.revision();
    const revision = revisionOf(after, 'query.after');
    // what cannot be followed is an answer now, and not a stream that breaks
    store.changes(revision, 1);
    return revision;
  });
  return eventStream((signal) => follow(parts, caller, start, signal), { heartbeatMs: parts.limits.heartbeatMs });
}

async function* follow(
  parts: AuthzParts,
  caller: Caller,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  open++;
  try {
    let after = start;
    let lookedAt = 0;
    while (!signal.aborted) {
      const isQuiet = parts.engine.revision() === after;
      if (isQuiet && parts.clock.now() - lookedAt < EXPIRY_MS) {
        await sleep(POLL_MS, undefined, { signal }).catch(() => {});
        continue;
      }
      lookedAt = parts.clock.now();
      const page = nextPage(parts, caller, after);
      if (page === undefined) return;
      if ('code' in page) {
        yield { event: 'error', data: { code: page.code } };
        return;
      }
      for (const change of page.changes) if (isShown(change)) yield eventOf(change);
      after = page.revision;
    }
  } finally {
    open--;
  }
}

/** In one snapshot: may it still be read, and what is there to read? `undefined` where the right has ended. */
function nextPage(
  parts: AuthzParts,
  caller: Caller,
  after: number,
): ChangePage | { readonly code: string } | undefined {
  const { store } = caller.organization;
  try {
    return parts.engine.read(() =>
      caller.isStillValid() && caller.may('tuples.read') ? store.changes(after, PAGE) : undefined,
    );
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.code === 'unknown_store' ? undefined : { code: error.code };
  }
}

function isShown({ tuples, models }: StoreChangeEntry): boolean {
  return tuples.length > 0 || models.length > 0;
}

function eventOf({ revision, time, tuples, models }: StoreChangeEntry): ServerEvent {
  const token = tokenOf(revision);
  return {
    id: token,
    event: 'change',
    data: {
      revision: token,
      time: new Date(time).toISOString(),
      changes: tuples.map(({ op, tuple }) => ({ op, tuple: tupleForm(tuple) })),
      ...(models.length === 0 ? {} : { models }),
    },
  };
}
