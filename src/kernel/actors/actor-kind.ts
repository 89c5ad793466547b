import type { Store } from '#engine';
import type { SystemPermission } from '../rights/index.ts';

/** A kind of subject that makes requests. */
export interface ActorKind {
  /** The type of its subjects in the engine: `user` of `user:U`. */
  readonly type: string;
  /** The permission of the endpoints that manage them: a raw tuple about one needs it as well. */
  readonly managedBy: SystemPermission;
  /** Whether decisions regard one, beside what the engine knows of it. If omitted, they always do. */
  readonly counts?: (store: Store, id: string, now: number) => boolean;
  /** What conditions see of one, beside its type and id; undefined where it has no record. If omitted, nothing else. */
  readonly attributes?: (store: Store, id: string) => Readonly<Record<string, unknown>> | undefined;
  /** Where mail reaches one, for what is put on record of it. If omitted, none has an address. */
  readonly email?: (store: Store, id: string) => string | undefined;
  /** Whether one is active and never expires, so that it can be the administrator who remains. If omitted, none can. */
  readonly isPermanent?: (store: Store, id: string) => boolean;
}
