import { expect } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { type Person, signIn } from '../../protocols/oauth/signing-in.ts';
import type { SignInSite } from '../signin/world.ts';

/** Somebody who is signed in, at the pages of the account. */
export interface Visitor {
  readonly browser: FormBrowser;
  readonly person: Person;
  open(room?: string): Promise<Page>;
}

export async function visitor(site: SignInSite, profile: Readonly<Record<string, unknown>> = {}): Promise<Visitor> {
  const person = await site.person(profile);
  return { ...(await again(site, person)), person };
}

/** The same person in another browser. */
export async function again(site: SignInSite, person: Person): Promise<Visitor> {
  const browser = site.browser();
  const first = await browser.open(`${site.base}/account`);
  const page = await signIn(browser, first, person);
  expect([page.status, page.url.pathname]).toEqual([200, `${site.base}/account`]);
  return { browser, person, open: (room = '') => browser.open(`${site.base}/account${room}`) };
}

/** What an administrator sees of the person. */
export async function recordOf(site: SignInSite, { id }: Person): Promise<Readonly<Record<string, unknown>>> {
  const answer = await site.provider.organization.org('GET', `/admin/users/${id}`);
  return answer.at('data.data') as Readonly<Record<string, unknown>>;
}

/** Audit actions of one kind, the newest first. */
export async function entriesOf(site: SignInSite, action: string): Promise<readonly Record<string, unknown>[]> {
  const answer = await site.provider.organization.org('GET', `/admin/audit-logs?action=${action}`);
  return answer.list('data.data') as Record<string, unknown>[];
}
