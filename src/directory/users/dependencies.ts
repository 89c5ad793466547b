import type { z } from 'zod';
import type { Change, RecordEntry, Store } from '#engine';
import type { Family, ShownBy } from '../../kernel/lists/index.ts';
import type { QueryPool } from '../../kernel/queries/index.ts';
import type { AdminDependencies, Numbers, Part } from '../../kernel/transactions/index.ts';
import type { GroupEntry, PermissionEntry, RoleEntry, UserEntry } from '../records/index.ts';
import type { OrganizationMailer } from '../settings/index.ts';
import type { PasswordHasher } from './credentials/password-hasher.ts';

/** How one kind of thing is shown. */
export interface AssignableView<Entry extends RecordEntry<unknown>> {
  /** That of the list of all of them. */
  readonly definition: ShownBy<Entry['document']>;
  schema(family: Family): z.ZodType;
  show(store: Store, entry: Entry, family: Family): unknown;
}

/** How roles, groups and permissions are shown in answers about a user. Their modules stand above this one. */
export interface AssignableViews {
  readonly role: AssignableView<RoleEntry>;
  readonly group: AssignableView<GroupEntry>;
  readonly permission: AssignableView<PermissionEntry>;
}

/** Ways into an account that go in a command. */
export type Disowned = Required<Omit<Part, 'preconditions'>>;

export interface UserDependencies extends AdminDependencies {
  readonly queryPool: QueryPool;
  readonly numbers: Pick<Numbers, 'next'>;
  readonly hasher: PasswordHasher;
  readonly mailer: OrganizationMailer;
  readonly views: AssignableViews;
  /** Records of all rooms that are about a user: they go with the user. To be called inside `Engine.read`. */
  readonly forget: (store: Store, userId: string) => readonly Change[];
  /** Ways in that whoever proves the user's address for the first time has not made. To be called inside `Engine.read`. */
  readonly disown: (store: Store, user: UserEntry) => Disowned;
  /** Without a trailing slash: links in mail begin with it. */
  readonly baseUrl: string;
}
