import type { Engine, RecordEntry } from '#engine';
import { actors } from '../../directory/records/index.ts';
import type { AuditName, erasableTypes } from '../../kernel/actors/index.ts';
import {
  entryRecords,
  hashOf,
  type PersonalField,
  type PersonalValue,
  type StoredEntry,
} from '../../kernel/audit/index.ts';
import type { StoreChanges } from '../../kernel/commits/index.ts';

export interface ErasedPerson extends AuditName {
  readonly type: (typeof erasableTypes)[number];
}

const PAGE = 200;

/** Commits what is gathered for one page of entries: as whoever erases may. */
export type CommitPage = (page: (changes: StoreChanges) => number) => Promise<number>;

/**
 * Erases what the entries of a store tell about one person: of those that it caused, address, agent and email; of
 * those that it caused or was the target of, the personal part of the metadata. Only the hashes stay, without their
 * salts, so that the chain stays whole. One commit for each page: the right to it may end between two of them. Answers
 * how many entries it changed, also of those that name the person as earlier versions did.
 */
export async function erasePerson(
  engine: Engine,
  store: string,
  person: ErasedPerson,
  commitPage: CommitPage,
): Promise<number> {
  const isSoNamed = actors.audited(person.id).type === person.type;
  const former = isSoNamed ? actors.formerName(person.id) : undefined;
  const names = former === undefined ? [person] : [person, former];
  let erased = 0;
  for (const name of names) erased += await eraseName(engine, store, name, commitPage);
  return erased;
}

async function eraseName(engine: Engine, store: string, person: AuditName, commitPage: CommitPage): Promise<number> {
  let erased = 0;
  for (const index of ['actorId', 'targetId'] as const) {
    let from: string | undefined;
    for (;;) {
      const ids = engine.read(() =>
        entryRecords.index(engine.store(store)).ids(index, person.id, { from, limit: PAGE }),
      );
      erased += await commitPage((changes) => erasePage(changes, person, ids));
      const last = ids.at(-1);
      if (last === undefined || ids.length < PAGE) break;
      from = `${last}!`;
    }
  }
  return erased;
}

/** An entry may be cut off meanwhile, or erased by another request. */
function erasePage(changes: StoreChanges, person: AuditName, ids: readonly string[]): number {
  let erased = 0;
  for (const id of ids) {
    const found = entryRecords.get(changes.store, id);
    const personal = found && withoutPerson(found, person);
    if (found === undefined || personal === undefined) continue;
    changes.rely(entryRecords, found);
    changes.put(entryRecords, id, { ...found.document, personal });
    erased++;
  }
  return erased;
}

/** `undefined` where nothing of this person is left. */
function withoutPerson({ document }: RecordEntry<StoredEntry>, { type, id }: AuditName) {
  const { actorId, actorType, targetId, targetType, personal } = document;
  const isActor = actorId === id && actorType === type;
  const isTarget = targetId === id && targetType === type;
  const kept: Partial<Record<PersonalField, PersonalValue>> = {};
  let isChanged = false;
  for (const [field, value] of Object.entries(personal) as [PersonalField, PersonalValue][]) {
    // metadata tells of the target, and where there is none of the actor
    const isTheirs = field.startsWith('metadata.') ? isTarget || (isActor && targetId === undefined) : isActor;
    if (isTheirs && 'value' in value) {
      kept[field] = { hash: hashOf(field, value) };
      isChanged = true;
    } else kept[field] = value;
  }
  return isChanged ? kept : undefined;
}
