import type { Store } from '#engine';
import { groupRecords, permissionRecords, roleRecords } from '../../../directory/records/index.ts';
import type { VocabularyEntry } from './entry.ts';

/** Most entries of one kind; what is beyond is not found. */
const ENTRIES_MAX = 5000;
const PAGE = 1000;
const TEXT_MAX = 300;

export const vocabularyCollections = [permissionRecords, roleRecords, groupRecords].map((kind) => kind.collection);

interface Page<Document> {
  list(store: Store, range?: { after?: string; limit?: number }): readonly { id: string; document: Document }[];
}

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

function documents<Document>(kind: Page<Document>, store: Store): Document[] {
  const all: Document[] = [];
  let after: string | undefined;
  while (all.length < ENTRIES_MAX) {
    const page = kind.list(store, { limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const { document } of page) all.push(document);
    after = page.at(-1)?.id;
    if (page.length < PAGE || after === undefined) break;
  }
  return all;
}
