import type { Store } from '#engine';
import {
  findGroup,
  type GroupEntry,
  slugsOf,
  type UserEntry,
  type UserRecord,
  userSubject,
} from '../../../directory/records/index.ts';
import { metaOf, present, type ScimResource } from '../documents/scim-resource.ts';
import { userType } from '../schema/user-type.ts';
import { contactsOf, emailOf, phoneOf, withChosen } from './user-fields.ts';

/** The attributes of a user but those that others say: groups, and what the service keeps about the resource. */
export function userAttributes(id: string, document: UserRecord): ScimResource {
  const { username, email, name, givenName, familyName, phoneNumber, title, locale, zoneinfo, isActive } = document;
  const { externalId, attributes = {} } = document.scim ?? {};
  const extensions = userType.extensions.filter((extension) => Object.hasOwn(attributes, extension.id));
  return present({
    schemas: [userType.schema.id, ...extensions.map((extension) => extension.id)],
    id,
    externalId,
    ...attributes,
    userName: username ?? email,
    name: present({ ...(attributes.name as object | undefined), givenName, familyName }),
    displayName: name,
    title,
    locale: locale ?? attributes.locale,
    timezone: zoneinfo ?? attributes.timezone,
    active: isActive,
    emails: withChosen(contactsOf(attributes.emails), email, emailOf),
    phoneNumbers: withChosen(contactsOf(attributes.phoneNumbers), phoneNumber, phoneOf),
  });
}

/** A user as SCIM shows it. To be called inside a snapshot. @param base the URL that SCIM's paths begin with */
export function userResource(store: Store, { id, document }: UserEntry, base: string, groups = new GroupNames(store)) {
  const attributes = userAttributes(id, document);
  const slugs = slugsOf(store, userSubject(id), 'group');
  return present({
    ...attributes,
    groups: slugs.flatMap((slug) => {
      const group = groups.find(slug);
      if (group === undefined) return [];
      const { displayName: display } = group.document;
      return [{ value: group.id, $ref: `${base}/Groups/${group.id}`, display, type: 'direct' }];
    }),
    meta: metaOf(userType, base, id, document, attributes),
  });
}

/** Groups by slug, read once for all users of a page. */
export class GroupNames {
  readonly #store: Store;
  readonly #known = new Map<string, GroupEntry | undefined>();

  constructor(store: Store) {
    this.#store = store;
  }

  find(slug: string): GroupEntry | undefined {
    if (!this.#known.has(slug)) this.#known.set(slug, findGroup(this.#store, slug));
    return this.#known.get(slug);
  }
}
