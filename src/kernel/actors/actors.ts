import { parseSubject, type Store } from '#engine';
import type { SystemPermission } from '../rights/index.ts';

/** A kind of subject that makes requests. */
export interface ActorKind {
  /** The type of its subjects in the engine: `user` of `user:U`. */
  readonly type: string;
  /** The permission of the endpoints that manage them: a raw tuple about one needs it as well. */
  readonly managedBy: SystemPermission;
  /** Whether decisions regard an actor, beside what the engine knows of it. If omitted, they always do. */
  readonly counts?: (store: Store, id: string, now: number) => boolean;
  /** What conditions see of an actor beside its type and id; undefined without a record. If omitted, nothing. */
  readonly attributes?: (store: Store, id: string) => Readonly<Record<string, unknown>> | undefined;
  /** The address for mail about an actor's record. If omitted, none has an address. */
  readonly email?: (store: Store, id: string) => string | undefined;
  /** Whether an actor is active for good, so that it can be the administrator who remains. If omitted, none can. */
  readonly isPermanent?: (store: Store, id: string) => boolean;
}

/** Everybody who makes requests: every kind of actor that there is. */
export class Actors {
  readonly kinds: readonly ActorKind[];
  readonly #byType: ReadonlyMap<string, ActorKind>;
  /** Decisions ask for these each time, so that they are found by their prefix. */
  readonly #counted: readonly { readonly prefix: string; readonly counts: NonNullable<ActorKind['counts']> }[];

  constructor(kinds: readonly ActorKind[]) {
    this.kinds = kinds;
    this.#byType = new Map(kinds.map((kind) => [kind.type, kind]));
    this.#counted = kinds.flatMap(({ type, counts }) => (counts === undefined ? [] : [{ prefix: `${type}:`, counts }]));
  }

  isType(type: string): boolean {
    return this.#byType.has(type);
  }

  /** The permission of the endpoints that manage subjects of a type; undefined where these are no actors. */
  managedBy(type: string): ActorKind['managedBy'] | undefined {
    return this.#byType.get(type)?.managedBy;
  }

  /** What conditions see of a subject: what is on record of it, its type and its id. To be called inside `Engine.read`. */
  attributes(store: Store, subject: string): Readonly<Record<string, unknown>> {
    const colon = subject.indexOf(':');
    const type = subject.slice(0, colon);
    const id = subject.slice(colon + 1);
    return { ...this.#byType.get(type)?.attributes?.(store, id), type, id };
  }

  /** The email address of one, where its kind has one. To be called inside `Engine.read`. */
  email(store: Store, type: string, id: string): string | undefined {
    return this.#byType.get(type)?.email?.(store, id);
  }

  /**
   * Whether decisions regard a subject. One without a record counts as the tuples say. To be called inside
   * `Engine.read`.
   */
  counts(store: Store, subject: string, now: number): boolean {
    for (const { prefix, counts } of this.#counted) {
      if (subject.startsWith(prefix)) return counts(store, subject.slice(prefix.length), now);
    }
    return true;
  }

  /** Whether a subject can be the administrator who remains. To be called inside `Engine.read`. */
  isPermanent(store: Store, subject: string): boolean {
    const { type, id, relation } = parseSubject(subject);
    return relation === '' && this.#byType.get(type)?.isPermanent?.(store, id) === true;
  }
}
