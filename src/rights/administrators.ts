import { parseSubject, type Store, type Tuple, type TupleFilter } from '#engine';
import { permissionObject } from './system-permissions.ts';

/** The tuples through which one subject is an administrator; a command can require that they still exist. */
export type Administration = readonly Tuple[];

export interface RemainingQuestion {
  readonly store: Store;
  /** Tuples that are about to go. */
  readonly isGone: (tuple: Tuple) => boolean;
  /** Whether a subject can act at all: its record, where it has one, is active. */
  readonly canAct: (subject: string) => boolean;
}

/**
 * Someone who remains an administrator (holds `settings.manage` by the system model, for good and without a condition)
 * when some tuples are gone; `undefined` where those take the last one away.
 */
export function otherAdministrator({ store, isGone, canAct }: RemainingQuestion): Administration | undefined {
  const stays = (tuple: Tuple): boolean =>
    tuple.condition === undefined && tuple.expiresAt === undefined && !isGone(tuple);
  const search = (object: string, relation: string, path: Administration): Administration | undefined => {
    for (const tuple of tuples(store, { object, relation })) {
      if (!stays(tuple)) continue;
      const subject = parseSubject(tuple.subject);
      const longer = [...path, tuple];
      if (subject.relation === '' && actors.has(subject.type)) {
        if (canAct(tuple.subject)) return longer;
      } else if (leadsOn(subject.type, subject.relation) && longer.length < LONGEST) {
        const found = search(`${subject.type}:${subject.id}`, subject.relation, longer);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  return search(permissionObject('settings.manage'), 'granted', []);
}

const actors = new Set(['user', 'agent', 'api_key']);

/** Permission, role, group: the longest way that the system model has. */
const LONGEST = 3;

function leadsOn(type: string, relation: string): boolean {
  return (type === 'role' && relation === 'assignee') || (type === 'group' && relation === 'member');
}

function* tuples(store: Store, filter: TupleFilter): Generator<Tuple> {
  let cursor: string | undefined;
  do {
    const page = store.readTuples(cursor === undefined ? filter : { ...filter, cursor });
    yield* page.tuples;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
