import { FormBrowser } from '../../browser/form-browser.ts';
import type { Form, Page } from '../../browser/page.ts';
import type { AuthorizationRequest, ReachedProvider, RelyingParty, Tokens } from './relying-party.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

let people = 0;

/** A user with a password and a confirmed address. */
export async function newPerson(
  provider: ReachedProvider,
  profile: Readonly<Record<string, unknown>> = {},
): Promise<Person> {
  const email = `person${++people}@example.com`;
  const password = `correct horse ${people} battery`;
  const made = await provider.admin('POST', '/admin/users', { email, password, emailVerified: true, ...profile });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return { id: made.text('data.id'), email: String(profile.email ?? email), password };
}

export function browserOf({ issuer, listensAt }: ReachedProvider): FormBrowser {
  return new FormBrowser({ origin: new URL(issuer).origin, listensAt });
}

const STEPS_MAX = 4;

/** Fills in what the page of sign-in asks for, on one page or two, until it asks for something else. */
export async function signIn(
  browser: FormBrowser,
  first: Page,
  { email, password }: Omit<Person, 'id'>,
): Promise<Page> {
  let page = first;
  for (let step = 0; step < STEPS_MAX; step++) {
    const values = page.forms.map((form) => credentialsIn(form, email, password)).find((each) => each !== undefined);
    if (values === undefined) return page;
    const next = await browser.submit(page, values);
    // the same question again: what was said has been refused
    if (next.departure === undefined && next.status >= 400) return next;
    page = next;
  }
  return page;
}

function credentialsIn({ fields }: Form, email: string, password: string): Record<string, string> | undefined {
  const name = fields.find(({ type, autocomplete }) => type !== 'hidden' && /\busername\b/.test(autocomplete));
  const secret = fields.find(({ autocomplete }) => autocomplete === 'current-password');
  if (name === undefined && secret === undefined) return undefined;
  return { ...(name && { [name.name]: email }), ...(secret && { [secret.name]: password }) };
}

/** Agrees where the page of consent asks. */
export async function agree(browser: FormBrowser, page: Page): Promise<Page> {
  return page.departure === undefined && page.url.pathname.endsWith('/consent') ? browser.submit(page) : page;
}

/** Where the application gets the answer, by a redirect or by a form that a script of the page would send. */
export async function answerOf(browser: FormBrowser, page: Page): Promise<URL> {
  const { url, fields } = (page.departure === undefined ? await browser.submit(page) : page).left;
  const answer = new URL(url);
  for (const [name, value] of fields) answer.searchParams.append(name, value);
  return answer;
}

/** The whole way of a person through the provider. */
export async function authorize(
  browser: FormBrowser,
  request: AuthorizationRequest,
  person: Omit<Person, 'id'>,
): Promise<URL> {
  const page = await agree(browser, await signIn(browser, await browser.open(request.url), person));
  return page.left.url;
}

/** And the tokens that come of it. */
export async function tokensFor(
  party: RelyingParty,
  browser: FormBrowser,
  person: Omit<Person, 'id'>,
  parameters: Readonly<Record<string, string | undefined>> = {},
): Promise<Tokens> {
  const request = await party.begin(parameters);
  return party.finish(request, await authorize(browser, request, person));
}
