import type { Change, Engine, RecordEntry, RecordWrite, Store } from '#engine';
import type { ScimDependencies } from '../../service/scim-request.ts';

/** Thrown in place of a commit, with the changes that would have been committed. */
class Withheld extends Error {
  readonly changes: readonly Change[];

  constructor(changes: readonly Change[]) {
    super('the changes of a dry run are not committed');
    this.name = 'Withheld';
    this.changes = changes;
  }
}

/**
 * Runs a change up to its first commit, which is not made. Rights, settings and versions are checked as usual.
 * @returns the changes that would have been committed
 */
export async function dryRun(
  dependencies: ScimDependencies,
  run: (dependencies: ScimDependencies) => Promise<unknown>,
): Promise<readonly Change[]> {
  // taking a number would be a commit of its own
  const numbers = { next: () => Promise.resolve(0) };
  try {
    await run({ ...dependencies, numbers, engine: withholding(dependencies.engine) });
    return [];
  } catch (error) {
    if (error instanceof Withheld) return error.changes;
    throw error;
  }
}

/** The same engine, which commits nothing. */
function withholding(engine: Engine): Engine {
  const planned = new WeakMap<object, readonly Change[]>();
  return withOwn(engine, {
    command(...parts: Parameters<Engine['command']>) {
      const command = engine.command(...parts);
      planned.set(command, parts[0]);
      return command;
    },
    submit: (command: object) => Promise.reject(new Withheld(planned.get(command) ?? [])),
  });
}

/**
 * The records of a store as they would be after changes: what is put and deleted is seen by its id and by its keys.
 * Tuples are those that there are. For dry runs of several operations, of which a later one is about an earlier one's.
 */
export class OverlayRecords {
  /** By collection and id; `undefined` where it would be gone. */
  readonly #written = new Map<string, Map<string, RecordWrite | undefined>>();

  add(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.op === 'put_record') this.#of(change.record.collection).set(change.record.id, change.record);
      else if (change.op === 'delete_record') this.#of(change.collection).set(change.id, undefined);
    }
  }

  /** The store with these records. */
  over(store: Store): Store {
    const records = withOwn(store.records, {
      get: <T>(collection: string, id: string) => this.#get<T>(store, collection, id),
      byUnique: <T>(collection: string, index: string, key: string) => this.#byUnique<T>(store, collection, index, key),
    });
    return withOwn(store, { records, recordIndex: (collection: string) => this.#index(store, collection) });
  }

  #get<T>(store: Store, collection: string, id: string): RecordEntry<T> | undefined {
    const written = this.#written.get(collection);
    return written?.has(id) === true ? entryOf<T>(written.get(id)) : store.records.get<T>(collection, id);
  }

  #byUnique<T>(store: Store, collection: string, index: string, key: string): RecordEntry<T> | undefined {
    const written = this.#written.get(collection) ?? new Map<string, RecordWrite | undefined>();
    for (const record of written.values()) if (record?.unique?.[index] === key) return entryOf<T>(record);
    const found = store.records.byUnique<T>(collection, index, key);
    return found !== undefined && written.has(found.id) ? undefined : found;
  }

  #index(store: Store, collection: string): ReturnType<Store['recordIndex']> {
    const reader = store.recordIndex(collection);
    const written = this.#written.get(collection);
    if (written === undefined) return reader;
    const ids = (...parts: Parameters<typeof reader.ids>): string[] => {
      const [index, key] = parts;
      const added = [...written].flatMap(([id, record]) =>
        index !== undefined && record?.indexes?.[index] === key ? [id] : [],
      );
      return [...added, ...reader.ids(...parts).filter((id) => !written.has(id))];
    };
    return withOwn(reader, { ids });
  }

  #of(collection: string): Map<string, RecordWrite | undefined> {
    const known = this.#written.get(collection) ?? new Map<string, RecordWrite | undefined>();
    this.#written.set(collection, known);
    return known;
  }
}

/** Something with some members of its own. Its other methods need the target itself as `this`. */
function withOwn<T extends object>(target: T, own: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof T];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function entryOf<T>(record: RecordWrite | undefined): RecordEntry<T> | undefined {
  // what is put into a collection has passed through its kind
  return record && { id: record.id, version: 0, document: record.document as T };
}
