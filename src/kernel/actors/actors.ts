import { parseSubject, type Store } from '#engine';
import type { ActorKind } from './actor-kind.ts';

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
