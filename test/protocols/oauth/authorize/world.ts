import { digestOf } from '../../../../src/platform/index.ts';
import type { FormBrowser } from '../../../browser/form-browser.ts';
import type { Page } from '../../../browser/page.ts';
import type { SignedIn } from '../../../identity/sessions/in-process-service.ts';
import type { ClockedProvider } from '../in-process.ts';
import { type AuthorizationRequest, type Registration, RelyingParty } from '../relying-party.ts';
import { browserOf, newPerson, type Person } from '../signing-in.ts';

let organizations = 0;

type SignInHow = NonNullable<Parameters<ClockedProvider['organization']['signIn']>[1]>;

/** Somebody who is signed in, a browser, and an application. */
export class AuthorizeWorld {
  readonly provider: ClockedProvider;
  readonly person: Person;
  readonly party: RelyingParty;

  private constructor(provider: ClockedProvider, person: Person, party: RelyingParty) {
    this.provider = provider;
    this.person = person;
    this.party = party;
  }

  /** An organization of its own in the service of `first`, with an application that users agree to. */
  static async open(first: ClockedProvider, registration: Registration = {}): Promise<AuthorizeWorld> {
    const provider = await first.neighbour(`authorize${++organizations}`);
    const person = await newPerson(provider, { name: 'Dora', givenName: 'Dora', phoneNumber: '+49 30 123456' });
    return new AuthorizeWorld(provider, person, await RelyingParty.register(provider, registration));
  }

  /** Somebody else in the same organization. */
  static another({ provider }: AuthorizeWorld): Promise<Person> {
    return newPerson(provider);
  }

  /** A browser in which nobody is signed in. */
  stranger(): FormBrowser {
    return browserOf(this.provider);
  }

  /** A browser in which the person is, as of now. */
  async browser(how: SignInHow = {}): Promise<FormBrowser> {
    const browser = this.stranger();
    this.enter(browser, await this.signIn(this.person, how));
    return browser;
  }

  signIn(person: Person, how: SignInHow = {}): Promise<SignedIn> {
    return this.provider.organization.signIn(person, how);
  }

  /** Puts a session into a browser, as the end of a sign-in does. */
  enter(browser: FormBrowser, { secret }: SignedIn): void {
    const { id, slug } = this.provider.organization.organization;
    const name = `__Secure-relata_session_${digestOf(id).slice(0, 12)}`;
    browser.cookies.take(new URL(this.provider.issuer), [
      `${name}=${secret}; Path=/orgs/${slug}/; HttpOnly; SameSite=Lax; Secure`,
    ]);
  }

  /** The application's page to which the browser comes in the end, with the user's consent where it is asked for. */
  async answered(browser: FormBrowser, request: AuthorizationRequest): Promise<URL> {
    const page = await browser.open(request.url);
    const last = isConsent(page) ? await browser.submit(page, {}, { button: 'allow' }) : page;
    return last.left.url;
  }

  /** Sends a form to the token endpoint, as the application. */
  async token(fields: Readonly<Record<string, string>>, party = this.party) {
    const response = await party.post(String(party.server.token_endpoint), {
      grant_type: 'authorization_code',
      client_id: party.id,
      redirect_uri: party.redirectUri,
      ...(party.secret === undefined ? {} : { client_secret: party.secret }),
      ...fields,
    });
    return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
  }

  userinfo(token: string): Promise<Response> {
    return this.provider.fetch(String(this.party.server.userinfo_endpoint), {
      headers: { authorization: `Bearer ${token}` },
    });
  }

  async setting(values: Readonly<Record<string, unknown>>): Promise<void> {
    const { organization } = this.provider;
    const answer = await organization.org('PATCH', '/admin/settings/security', { body: values });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }
}

export function isConsent(page: Page): boolean {
  return page.departure === undefined && page.url.pathname.endsWith('/consent') && page.status === 200;
}

/** What the answer says, wherever it stands. */
export function said(url: URL): Readonly<Record<string, string>> {
  return Object.fromEntries([...url.searchParams, ...new URLSearchParams(url.hash.slice(1))]);
}
