import type { PackedCommand } from '../../../command/command.ts';
import { readHead } from '../../../store/catalog.ts';
import type { Tables } from '../../../store/environment.ts';
import {
  readAssignments,
  readCarried,
  removeAssignment,
  writeAssignment,
  writeCarried,
} from '../../../store/log/stream-carried.ts';
import type { CarriedReference, StreamUse } from './carried-reference.ts';

/**
 * A message so far behind the newest one of its stream that the log refers to is no longer referred to: so the stream can
 * be cut. A node refers to its message when the stream has acknowledged it.
 */
const WINDOW = 8192;

/** Before which message of a stream nothing is referred to any more, by the highest one that was. */
export function carriedFrom(highest: number): number {
  return Math.max(1, highest - WINDOW + 1);
}

/** What the log has said of the streams beside it, as far as it is applied. */
export class StreamUses {
  readonly #tables: Tables;
  #carried: ReadonlyMap<number, number>;
  #assigned: ReadonlyMap<string, number>;

  /** As the store has it. */
  constructor(tables: Tables) {
    this.#tables = tables;
    this.#carried = readCarried(tables);
    this.#assigned = readAssignments(tables);
  }

  /** Which stream a store was moved to; undefined where it never was. */
  assigned(store: string): number | undefined {
    return this.#assigned.get(store);
  }

  /** The highest message of a stream that the log has referred to; 0 before. */
  carried(stream: number): number {
    return this.#carried.get(stream) ?? 0;
  }

  /** The same of every stream that it has referred to. */
  get allCarried(): ReadonlyMap<number, number> {
    return this.#carried;
  }

  /** Whether a message of a stream is too old to be referred to. */
  isPast({ stream, sequence }: Omit<CarriedReference, 'digest'>): boolean {
    return sequence < carriedFrom(this.#carried.get(stream) ?? 0);
  }

  /** What becomes of it by messages that are about to be applied. */
  draft(): UsesDraft {
    return new UsesDraft(this.#carried, this.#assigned);
  }

  /**
   * Belongs to the transaction that applies the messages, after their commands.
   * @param deleted stores that they may have deleted: nothing is kept of those that are gone
   */
  write(draft: UsesDraft, deleted: readonly string[]): void {
    for (const [stream, sequence] of draft.carried) {
      if (this.#carried.get(stream) !== sequence) writeCarried(this.#tables, stream, sequence);
    }
    const moved = [...draft.assigned].filter(([store, stream]) => this.#assigned.get(store) !== stream);
    for (const [store, stream] of moved) writeAssignment(this.#tables, store, stream);
    for (const store of [...deleted, ...moved.map(([store]) => store)]) {
      if (!draft.assigned.has(store) || isLive(this.#tables, store)) continue;
      removeAssignment(this.#tables, store);
      draft.forget(store);
    }
  }

  /** The transaction is done. */
  become({ carried, assigned }: UsesDraft): void {
    this.#carried = carried;
    this.#assigned = assigned;
  }
}

/** Which stores the commands of messages may have deleted: also those of commands that were refused. */
export function deletedBy(steps: readonly { readonly commands: readonly PackedCommand[] }[]): string[] {
  const stores: string[] = [];
  for (const { commands } of steps) {
    for (const { changes } of commands) {
      for (const change of changes) if (change.op === 'delete_store') stores.push(change.store);
    }
  }
  return stores;
}

function isLive(tables: Tables, store: string): boolean {
  const head = readHead(tables, store);
  return head !== undefined && head.deletedAt === undefined;
}

/** Decides by what stands in the messages alone, so that every node decides the same. */
export class UsesDraft {
  readonly #before: { readonly carried: ReadonlyMap<number, number>; readonly assigned: ReadonlyMap<string, number> };
  #carried: Map<number, number> | undefined;
  #assigned: Map<string, number> | undefined;

  constructor(carried: ReadonlyMap<number, number>, assigned: ReadonlyMap<string, number>) {
    this.#before = { carried, assigned };
  }

  get carried(): ReadonlyMap<number, number> {
    return this.#carried ?? this.#before.carried;
  }

  get assigned(): ReadonlyMap<string, number> {
    return this.#assigned ?? this.#before.assigned;
  }

  /** Takes what a message says. False where it refers to a message that is too old. */
  add(use: StreamUse): boolean {
    if ('store' in use) {
      this.#assign().set(use.store, use.stream);
      return true;
    }
    const { stream, sequence } = use;
    const highest = this.carried.get(stream) ?? 0;
    if (sequence < carriedFrom(highest)) return false;
    if (sequence <= highest) return true;
    this.#carried ??= new Map(this.#before.carried);
    this.#carried.set(stream, sequence);
    return true;
  }

  forget(store: string): void {
    this.#assign().delete(store);
  }

  #assign(): Map<string, number> {
    this.#assigned ??= new Map(this.#before.assigned);
    return this.#assigned;
  }
}
