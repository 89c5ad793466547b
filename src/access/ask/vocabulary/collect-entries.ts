import type { Store } from '#engine';
import { groupRecords, permissionRecords, roleRecords } from '../../../directory/records/index.ts';
import type { RecordKind } from '../../../kernel/records/index.ts';

/** Something of an organization that a question can be about. */
export interface VocabularyEntry {
  readonly kind: 'permission' | 'relation' | 'role' | 'group';
  /** The permission's slug, `type#relation`, the slug of the role or the group. */
  readonly key: string;
  /** The type of the objects that it is about: `repo` of `repo:push` and of `repo#owner`. */
  readonly type: string;
  /** What is done: `push` of `repo:push`, `restart` of `can_restart`, `owner`. */
  readonly action: string;
  readonly name: string;
  readonly description: string;
  readonly isSystem: boolean;
}

/** Most entries of one kind; what is beyond is not found. */
const ENTRIES_MAX = 5000;
const TEXT_MAX = 300;

export const vocabularyCollections = [permissionRecords, roleRecords, groupRecords].map((kind) => kind.collection);

/** Everything of an organization that a question can name. To be called inside `Engine.read`. */
export function collectEntries(store: Store): VocabularyEntry[] {
  const permissions = documents(permissionRecords, store).map(({ slug, name, description = '', isSystem }) => ({
    kind: 'permission' as const,
    key: slug,
    ...halves(slug),
    name: name === slug ? '' : short(name),
    description: short(description),
    isSystem,
  }));
  const roles = documents(roleRecords, store).map(({ slug, name, isSystem }) =>
    named('role', slug, name === slug ? '' : name, isSystem),
  );
  const groups = documents(groupRecords, store).map(({ name, displayName }) =>
    named('group', name, displayName === name ? '' : displayName, false),
  );
  const slugs = new Set(permissions.map(({ key }) => key));
  return [...permissions, ...relationsOf(store, slugs), ...roles, ...groups];
}

/** `can_<action>` is a relation of its own only where no permission says the same: that one asks for both. */
function relationsOf(store: Store, slugs: ReadonlySet<string>): VocabularyEntry[] {
  if (store.latestModelId() === undefined) return [];
  const found: VocabularyEntry[] = [];
  for (const [type, { relations }] of store.model().model.types) {
    if (systemTypes.has(type)) continue;
    for (const relation of relations.keys()) {
      const action = relation.replace(/^can_/u, '');
      if (action !== relation && slugs.has(`${type}:${action}`)) continue;
      if (found.length >= ENTRIES_MAX) return found;
      const key = `${type}#${relation}`;
      found.push({ kind: 'relation', key, type, action, name: '', description: '', isSystem: false });
    }
  }
  return found;
}

/** Their relations are asked about as roles, groups and permissions. */
const systemTypes = new Set(['group', 'role', 'permission', 'policy', 'elevation']);

function named(kind: 'role' | 'group', key: string, name: string, isSystem: boolean): VocabularyEntry {
  return { kind, key, type: kind, action: key, name: short(name), description: '', isSystem };
}

/** `docs:read`, and `users.read` as the system's own are written. */
function halves(slug: string): { readonly type: string; readonly action: string } {
  const colon = slug.indexOf(':');
  const at = colon < 1 ? slug.indexOf('.') : colon;
  return at < 1 ? { type: '', action: slug } : { type: slug.slice(0, at), action: slug.slice(at + 1) };
}

function short(text: string): string {
  return text.slice(0, TEXT_MAX);
}

function documents<Document>(kind: Pick<RecordKind<Document>, 'all'>, store: Store): Document[] {
  const found: Document[] = [];
  for (const { document } of kind.all(store)) {
    if (found.push(document) >= ENTRIES_MAX) break;
  }
  return found;
}
