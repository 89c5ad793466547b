import { decodeJwt, type JWTPayload } from 'jose';
import type { ClientAuth } from 'oauth4webapi';
import type { FormBrowser } from '../../../browser/form-browser.ts';
import type { Page } from '../../../browser/page.ts';
import { ClockedProvider } from '../in-process.ts';
import { type AuthorizationRequest, type Registration, RelyingParty, type Tokens } from '../relying-party.ts';
import { agree, browserOf, newPerson, type Person, signIn } from '../signing-in.ts';

export type Wanted = Readonly<Record<string, string | undefined>>;

/** One way through the provider, with all that was seen on it. */
export interface Flow {
  readonly request: AuthorizationRequest;
  readonly browser: FormBrowser;
  /** The page that the provider showed first, if it showed one. */
  readonly first: Page;
  readonly callback: URL;
  readonly tokens: Tokens;
}

/** A provider under test, as the conformance suite meets it: a user with every claim, and a client. */
export class Certification {
  readonly provider: ClockedProvider;
  readonly person: Person;

  private constructor(provider: ClockedProvider, person: Person) {
    this.provider = provider;
    this.person = person;
  }

  static async start(slug: string, environment: Readonly<Record<string, string>> = {}): Promise<Certification> {
    const provider = await ClockedProvider.start(slug, environment);
    return new Certification(provider, await newPerson(provider, everyClaim));
  }

  /** The provider of another organization of the same service. */
  async neighbour(slug: string): Promise<Certification> {
    const provider = await this.provider.neighbour(slug);
    return new Certification(provider, await newPerson(provider, everyClaim));
  }

  client(registration: Registration = {}): Promise<RelyingParty> {
    return RelyingParty.register(this.provider, registration);
  }

  /** A client that has registered itself. */
  registered(metadata: Registration, authentication?: ClientAuth): Promise<RelyingParty> {
    return RelyingParty.registerItself(this.provider, metadata, authentication);
  }

  browser(): FormBrowser {
    return browserOf(this.provider);
  }

  /** The whole way to tokens; signs in where the provider asks. */
  async flow(
    party: RelyingParty,
    parameters: Wanted = {},
    browser = this.browser(),
    person = this.person,
  ): Promise<Flow> {
    const request = await party.begin(parameters);
    const first = await browser.open(request.url);
    const callback = await this.carryOn(browser, first, person);
    return { request, browser, first, callback, tokens: await party.finish(request, callback) };
  }

  /** Signs in and agrees, wherever the provider asks, until it sends the browser back. */
  async carryOn(browser: FormBrowser, page: Page, person = this.person): Promise<URL> {
    return (await agree(browser, await signIn(browser, page, person))).left.url;
  }

  /** The page on which a user is asked to agree. */
  async consentPage(party: RelyingParty, parameters: Wanted = {}): Promise<Page> {
    const browser = this.browser();
    return signIn(browser, await this.outcome(party, parameters, browser), this.person);
  }

  /** Another user of the same provider. */
  another(): Promise<Person> {
    return newPerson(this.provider);
  }

  /** Where an authorization request ends that shows no page, or the page that it shows. */
  async outcome(party: RelyingParty, parameters: Wanted, browser = this.browser()): Promise<Page> {
    return browser.open((await party.begin(parameters)).url);
  }

  async userInfo(party: RelyingParty, { access_token: accessToken }: Tokens): Promise<JWTPayload> {
    const response = await this.withToken(party, accessToken);
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as JWTPayload;
  }

  withToken(party: RelyingParty, accessToken: string, method = 'GET'): Promise<Response> {
    return this.provider.fetch(String(party.server.userinfo_endpoint), {
      method,
      headers: { authorization: `Bearer ${accessToken}` },
    });
  }

  stop(): Promise<void> {
    return this.provider.service.stop();
  }
}

const everyClaim = {
  username: 'dora',
  name: 'Dora Lange',
  givenName: 'Dora',
  familyName: 'Lange',
  phoneNumber: '+491701234567',
  locale: 'de-DE',
  zoneinfo: 'Europe/Berlin',
  picture: 'https://app.example/dora.png',
};

export function idTokenOf({ tokens }: Flow): JWTPayload {
  return decodeJwt(String(tokens.id_token));
}

/** The parameters that came back to the client. */
export function answered({ left }: Page): Record<string, string> {
  const { state: _, ...rest } = Object.fromEntries(left.url.searchParams);
  return rest;
}
