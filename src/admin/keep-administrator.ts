import {
  type Change,
  modelFromJson,
  type Precondition,
  parseObject,
  parseSubject,
  type Store,
  type Tuple,
} from '#engine';
import { keyRecords, userRecords } from '../directory/index.ts';
import type { RecordKind } from '../kernel/index.ts';
import type { Organization } from '../orgs/index.ts';
import { type Administration, isLimited, permissionObject, type Reach, reachOf } from '../rights/index.ts';
import { AdministratorSearch } from './administrator-search.ts';
import type { AdminParts } from './parts.ts';
import { refused } from './problems.ts';
import { type Kept, restOnRights } from './rights-version.ts';

export interface Leaving {
  /** What the command changes. */
  readonly changes: readonly Change[];
  /** A subject that stops being a lasting administrator without a change of tuples: a key that gets an expiry. */
  readonly subject?: string;
  /** Whether it was planned for a caller whose rights tuples say. */
  readonly hasCaller: boolean;
  readonly now: number;
}

/**
 * Makes sure that an administrator remains, by the system model and by the organization's, and that the caller's rights
 * do. Answers what the command must carry for that. To be called in the snapshot that the changes were planned in.
 * @throws ProblemError 422 if none would remain, or if that could not be decided
 */
export function keepAdministrator(
  parts: Pick<AdminParts, 'lasts' | 'rights'>,
  organization: Organization,
  leaving: Leaving,
): Kept {
  const { changes, hasCaller } = leaving;
  const reach = reachAfter(parts, organization.store, changes);
  const { changes: marks, preconditions } = restOnRights(organization.store, { changes, reach, hasCaller });
  return { changes: marks, preconditions: [...remains(parts, organization, leaving, reach), ...preconditions] };
}

function remains(
  parts: Pick<AdminParts, 'lasts' | 'rights'>,
  organization: Organization,
  { changes, subject: limited, now }: Leaving,
  reach: Reach,
): readonly Precondition[] {
  const { store } = organization;
  const weight = limited === undefined ? weigh(parts, organization, changes, reach) : 'takes';
  const latest = sameModel(store);
  if (weight === 'nothing') return changes.some(mayMatter) ? [latest] : [];
  if (weight === 'near') return [latest];
  const search = new AdministratorSearch(parts, organization, now);
  const remaining = search.find({ changes, reach, gone: limited });
  if (remaining !== undefined) {
    const stays = remaining.map((tuple): Precondition => ({ require: 'tuple_exists', store: store.name, tuple }));
    return [latest, ...stays, ...stillLasts(store, remaining)];
  }
  const isNone = search.find({ changes: [], reach: parts.rights.reach(store) }) === undefined;
  if (search.undecided !== undefined) throw refused(search.undecided);
  if (isNone) return [];
  throw refused('This would remove the last administrator.');
}

/** A change that does not touch rights by this model may do so by the next one. It is then judged again. */
export function sameModel(store: Store): Precondition {
  return { require: 'latest_model', store: store.name, modelId: store.latestModelId() ?? null };
}

/** By the model that these changes leave. */
function reachAfter({ rights }: Pick<AdminParts, 'rights'>, store: Store, changes: readonly Change[]): Reach {
  const written = changes.findLast((change) => change.op === 'write_model');
  return written === undefined ? rights.reach(store) : reachOf(modelFromJson(written.model.json));
}

/**
 * `takes`: may remove or make an administrator. `near`: may decide rights, but only of somebody who is not an
 * administrator.
 */
type Weight = 'nothing' | 'near' | 'takes';

function weigh(
  { rights }: Pick<AdminParts, 'rights'>,
  organization: Organization,
  changes: readonly Change[],
  reach: Reach,
): Weight {
  let weight: Weight = 'nothing';
  for (const change of changes) {
    if (weighsAlone(change, reach)) return 'takes';
    for (const tuple of tuplesOf(change, reach)) {
      const named = onlyNamed(tuple, reach);
      if (named === undefined || organization.store.isSuspended(named)) return 'takes';
      if (rights.isAdministrator(organization, named, changes)) return 'takes';
      if (!reach.isPlain) weight = 'near';
    }
  }
  return weight;
}

function weighsAlone(change: Change, { isPlain, types }: Reach): boolean {
  switch (change.op) {
    case 'write_model':
      return !isPlain;
    case 'delete_object':
      return types.has(parseObject(change.object).type);
    case 'suspend_subject':
      return types.has(parseObject(change.subject).type);
    case 'restore_subject':
      return !isPlain && types.has(parseObject(change.subject).type);
    default:
      return false;
  }
}

/**
 * The tuples of a change that can remove an administrator. Under a plain model no new tuple can, and of the grants only
 * those of full administration.
 */
function tuplesOf(change: Change, { isPlain, relations }: Reach): readonly Tuple[] {
  if (change.op !== 'write_tuples' && change.op !== 'delete_tuples') return [];
  const { op, tuples } = change;
  if (!isPlain) return tuples.filter((tuple) => relations.has(relationOf(tuple)));
  return tuples.filter(
    (tuple) =>
      (op === 'delete_tuples' || isLimited(tuple)) &&
      (relationOf(tuple) === 'permission#granted'
        ? tuple.object === fullAdministration
        : relations.has(relationOf(tuple))),
  );
}

/** Whether a change can remove an administrator under some model. */
function mayMatter({ op }: Change): boolean {
  return changesOfRights.has(op);
}

const changesOfRights: ReadonlySet<Change['op']> = new Set([
  'write_tuples',
  'delete_tuples',
  'delete_object',
  'suspend_subject',
  'restore_subject',
]);

function relationOf({ object, relation }: Tuple): string {
  return `${object.slice(0, object.indexOf(':'))}#${relation}`;
}

const actors: ReadonlySet<string> = new Set(['user', 'agent', 'api_key', 'oauth_client']);

/** The subject whose rights a tuple is about; undefined if it can be about several. */
function onlyNamed(tuple: Tuple, { tuplesets }: Reach): string | undefined {
  const { type, relation } = parseSubject(tuple.subject);
  return relation === '' && actors.has(type) && !tuplesets.has(relationOf(tuple)) ? tuple.subject : undefined;
}

const fullAdministration = permissionObject('settings.manage');

/** If a record says whether the remaining administrator is active, that record must not change either. */
function stillLasts(store: Store, remaining: Administration): Precondition[] {
  const last = remaining.at(-1);
  if (last === undefined) return [];
  const subject = parseObject(last.subject);
  if (subject.type === 'user') return sameIfThere(userRecords, store, subject.id);
  return subject.type === 'api_key' ? sameIfThere(keyRecords, store, subject.id) : [];
}

function sameIfThere<Document>(kind: RecordKind<Document>, store: Store, id: string): Precondition[] {
  const entry = kind.get(store, id);
  return entry === undefined ? [] : [kind.same(store, entry)];
}
