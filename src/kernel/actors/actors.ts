import { parseSubject, type Store } from '#engine';
import type { SystemPermission } from '../rights/index.ts';
import { type AuditedKind, type AuditName, auditName } from './audit-name.ts';

/** A kind of subject of the engine that makes requests. */
export interface ActorKind extends AuditedKind {
  /** The permission of the endpoints that manage them: a raw tuple about one needs it as well. */
  readonly managedBy: SystemPermission;
  /** The permission to read those of others. If omitted, that to manage them. */
  readonly readBy?: SystemPermission;
  /** What people call an actor. If omitted, its id. */
  readonly nameOf?: (store: Store, id: string) => string | undefined;
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
  readonly #audited: ReadonlyMap<string, AuditedKind>;
  /** Decisions ask for these each time, so that they are found by their prefix. */
  readonly #counted: readonly { readonly prefix: string; readonly counts: NonNullable<ActorKind['counts']> }[];

  /** @param credentials what makes requests without being a subject of the engine */
  constructor(kinds: readonly ActorKind[], credentials: readonly AuditedKind[] = []) {
    this.kinds = kinds;
    this.#audited = new Map([...kinds, ...credentials].map((kind) => [kind.type, kind]));
    this.#byType = new Map(kinds.map((kind) => [kind.type, kind]));
    this.#counted = kinds.flatMap(({ type, counts }) => (counts === undefined ? [] : [{ prefix: `${type}:`, counts }]));
  }

  isType(type: string): boolean {
    return this.#byType.has(type);
  }

  /** How the audit log names a subject; one of no kind by itself, as an administrator. */
  audited(subject: string): AuditName {
    const colon = subject.indexOf(':');
    const kind = this.#audited.get(subject.slice(0, colon));
    return kind === undefined ? { id: subject, type: 'admin' } : auditName(kind, subject.slice(colon + 1));
  }

  /** How entries of earlier versions name who is called so now, where that is another name. */
  formerName(auditId: string): AuditName | undefined {
    const colon = auditId.indexOf(':');
    const type = this.#audited.get(auditId.slice(0, colon))?.formerlyAuditedAs;
    return type === undefined ? undefined : { id: auditId.slice(colon + 1), type };
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
