import type { Store } from '#engine';
import { readSettings } from '../../../../directory/settings/index.ts';
import { optionOf } from './client-options.ts';
import { type ClientEntry, comesByItself } from './client-record.ts';

/**
 * APIs beside the organization's own that a client may get tokens for: those that an administrator gave it, and of a
 * client that came by itself those of the organization's settings, too. In a snapshot.
 */
export function resourcesOf(store: Store, { document }: ClientEntry): readonly string[] {
  const own = optionOf(document, 'allowedResources');
  return comesByItself(document) ? [...own, ...readSettings(store).oauth.openResources] : own;
}
