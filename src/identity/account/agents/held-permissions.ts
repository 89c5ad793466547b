import { EngineError } from '#engine';
import { findPermission, userSubject } from '../../../directory/records/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { permissionObject, systemPermissionText } from '../../../kernel/rights/index.ts';
import { isoTime } from '../../../platform/index.ts';
import type { Texts } from '../../../texts/index.ts';

export interface HeldPermission {
  readonly slug: string;
  readonly name: string;
  readonly description?: string | undefined;
}

/** As many are offered to choose from; the others can be typed. */
export const OFFERED_MAX = 100;

/**
 * Permissions that a user holds now, those of the organization's own first. Only to choose from: what is chosen is
 * decided again, each time. To be called inside `Engine.read`.
 */
export function heldPermissions(
  t: Texts,
  { store }: Organization,
  userId: string,
  now: number,
): { readonly offered: readonly HeldPermission[]; readonly hasMore: boolean } {
  const { slugs, hasMore } = heldSlugs(store, userId, now);
  const found = slugs.map((slug) => findPermission(store, slug)?.document).filter((each) => each !== undefined);
  const offered = found
    .sort((left, right) => Number(left.isSystem) - Number(right.isSystem) || (left.slug < right.slug ? -1 : 1))
    .map(({ slug, name, description }) => ({
      slug,
      name,
      description: systemPermissionText(t, slug) ?? description,
    }));
  return { offered, hasMore };
}

function heldSlugs(store: Organization['store'], userId: string, now: number) {
  const prefix = permissionObject('').length;
  try {
    const page = store.listObjects({
      type: 'permission',
      relation: 'granted',
      subject: userSubject(userId),
      context: { now: isoTime(now) },
      now,
      limit: OFFERED_MAX,
    });
    return { slugs: page.items.map((object) => object.slice(prefix)), hasMore: page.cursor !== undefined };
  } catch (error) {
    // a model of the organization that takes too long must not close the page
    if (error instanceof EngineError && error.code === 'timeout') return { slugs: [], hasMore: true };
    throw error;
  }
}
