import type { z } from 'zod';
import type { Change, Store } from '#engine';
import type { AdminParts, Numbers } from '../admin/index.ts';
import type { GroupEntry, PermissionEntry, RoleEntry } from '../directory/index.ts';
import type { HeavyRunner } from '../heavy/index.ts';
import type { Family } from '../lists/index.ts';
import type { OrganizationMailer } from '../settings/index.ts';
import type { PasswordHasher } from './credentials/password-hasher.ts';

/** How one kind of thing is shown. */
export interface GivenView<Entry> {
  schema(family: Family): z.ZodType;
  show(store: Store, entry: Entry, family: Family): unknown;
}

/** How what a user has been given is shown, in answers about the user. Those features stand above this one. */
export interface GivenViews {
  readonly role: GivenView<RoleEntry>;
  readonly group: GivenView<GroupEntry>;
  readonly permission: GivenView<PermissionEntry>;
}

export interface UserParts extends AdminParts {
  readonly heavy: HeavyRunner;
  readonly numbers: Numbers;
  readonly hasher: PasswordHasher;
  readonly mailer: OrganizationMailer;
  readonly views: GivenViews;
  /** What features above this one keep of a user: it goes with the user. To be called inside `Engine.read`. */
  readonly forget: (store: Store, userId: string) => readonly Change[];
  /** Without a trailing slash: links in mail begin with it. */
  readonly baseUrl: string;
}
