import { createHash } from 'node:crypto';
import type { Engine } from '#engine';
import { markupFault, readSettings, type Settings } from '../../../directory/settings/index.ts';
import { type Organization, organizationEntry } from '../../../kernel/organizations/index.ts';

/** How an organization's pages look and what they say, as its settings have it. */
export interface Brand {
  readonly name: string;
  readonly settings: Settings['branding'];
  /** Changes with whatever `branding.css` is made of. */
  readonly version: string;
  /** Markup that may stand in a page; `''` where there is none. */
  readonly markup: string;
}

const VERSION_LENGTH = 16;

/** To be called inside `Engine.read`. */
export function readBrand(engine: Engine, organization: Organization): Brand {
  const settings = readSettings(organization.store).branding;
  const name = organizationEntry(engine, organization.slug)?.document.name ?? organization.slug;
  const version = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, VERSION_LENGTH);
  const { customHtml } = settings;
  // checked when it was set; a record from elsewhere is checked here
  const markup = customHtml !== null && markupFault(customHtml) === undefined ? customHtml : '';
  return { name, settings, version, markup };
}

/** Of the service itself: for pages that belong to no organization. */
export const plainBrandName = 'Relata';
