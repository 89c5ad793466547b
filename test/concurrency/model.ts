/** What one client knows of the things that it alone creates and deletes. */
export interface Owned {
  readonly users: Map<string, UserState>;
  /** Slugs by id. */
  readonly roles: Map<string, string>;
  readonly groups: Map<string, string>;
}

export interface UserState {
  readonly email: string;
  name: string;
  isBlocked: boolean;
}

export type Kind = 'role' | 'group';

/**
 * What must be true in the end. Records belong to one client each, which changes them one after another. Roles and
 * memberships are given to a user by the client that owns the user, but the role or group may be another client's, who
 * deletes it at any time: what was given and not taken is there in the end exactly if both sides are.
 */
export class Model {
  readonly clients: Owned[] = [];
  /** `user role slug` for each one given and not taken away. */
  readonly given = new Set<string>();
  /** Audit entries that must be there, by action. */
  readonly entries = new Map<string, number>();

  add(): Owned {
    const owned: Owned = { users: new Map(), roles: new Map(), groups: new Map() };
    this.clients.push(owned);
    return owned;
  }

  entry(action: string): void {
    this.entries.set(action, (this.entries.get(action) ?? 0) + 1);
  }

  get users(): Map<string, UserState> {
    return new Map(this.clients.flatMap(({ users }) => [...users]));
  }

  /** Slugs of all that exist, by id. */
  things(kind: Kind): Map<string, string> {
    return new Map(this.clients.flatMap((owned) => [...(kind === 'role' ? owned.roles : owned.groups)]));
  }

  /** Slugs by user, of what exists on both sides. */
  givenTo(kind: Kind): Map<string, string[]> {
    const { users } = this;
    const slugs = new Set(this.things(kind).values());
    const byUser = new Map<string, string[]>();
    for (const each of this.given) {
      const [user = '', ofKind, slug = ''] = each.split(' ');
      if (ofKind !== kind || !users.has(user) || !slugs.has(slug)) continue;
      byUser.set(user, [...(byUser.get(user) ?? []), slug].sort());
    }
    return byUser;
  }
}
