import type { ListingMemberships } from '../../../command/listing-definition.ts';
import { QUALIFIED, scanned } from '../../edge-key.ts';
import type { Tables } from '../../environment.ts';
import { kindKey, nameKey } from '../../layout.ts';

/** Which tuples of one store a listing filters by: their kinds, and the index of their relation in the definition. */
export class MemberKinds {
  readonly #tables: Tables;
  readonly #store: number;
  readonly #subject: string;
  readonly #relations: readonly string[];
  /** By `object kind << 16 | subject kind`; -1 for tuples of no account. What a kind is never changes. */
  readonly #memberships = new Map<number, number>();

  constructor(tables: Tables, store: number, { subjectType, relations }: ListingMemberships) {
    this.#tables = tables;
    this.#store = store;
    this.#subject = subjectType;
    this.#relations = relations;
  }

  /** -1 where lists do not filter by such tuples. @param kinds with or without the qualified bit */
  membershipOf(kinds: number): number {
    const bare = kinds & ~QUALIFIED;
    let membership = this.#memberships.get(bare);
    if (membership === undefined) {
      const isOfRecords = this.#text(bare & 0xffff) === `${this.#subject}#`;
      membership = isOfRecords ? this.#relations.indexOf(this.#text(bare >>> 16)) : -1;
      this.#memberships.set(bare, membership);
    }
    return membership;
  }

  /** Of which objects a record is a member, by tuples that are stored. */
  *of(id: string): Generator<{ readonly membership: number; readonly object: number }> {
    const node = this.#tables.names.getBinaryFast(nameKey(this.#store, `${this.#subject}:${id}`))?.readUInt32BE(0);
    if (node === undefined) return;
    const found: { membership: number; object: number }[] = [];
    const start = { store: this.#store, node, kinds: 0, other: 0, size: 8 };
    for (const _ of this.#tables.reverse.getKeys({ start })) {
      if (scanned.node !== node || scanned.store !== this.#store) break;
      const membership = this.membershipOf((scanned.kinds << 16) | (scanned.kinds >>> 16));
      if (membership >= 0) found.push({ membership, object: scanned.other });
    }
    yield* found;
  }

  /** Whose tuple it is: the id of a record that may be there or not. */
  idOf(subject: number): string {
    const key = Buffer.allocUnsafe(8);
    key.writeUInt32BE(this.#store, 0);
    key.writeUInt32BE(subject, 4);
    const name = this.#tables.nodes.getBinaryFast(key);
    return name === undefined ? '' : name.toString('utf8', this.#subject.length + 1, name.length);
  }

  #text(kind: number): string {
    const bytes = this.#tables.kinds.getBinaryFast(kindKey(this.#store, kind));
    return bytes === undefined ? '' : bytes.toString('utf8', 0, bytes.length);
  }
}
