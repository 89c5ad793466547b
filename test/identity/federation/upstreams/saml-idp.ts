import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import * as samlify from 'samlify';

const fixture = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)), 'utf8');

/** Keys that no secret depends on. */
export const signers = {
  idp: { key: fixture('idp-key.pem'), certificate: fixture('idp-certificate.pem') },
  other: { key: fixture('other-key.pem'), certificate: fixture('other-certificate.pem') },
} as const;

// the library asks for a validator of schemas; what is sent to it here comes from the service under test
samlify.setSchemaValidator({ validate: () => Promise.resolve('unchecked') });

/** Who signs in at the identity provider, and what it does differently from a good one. */
export interface SamlConduct {
  readonly nameId: string;
  readonly format: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly signer: keyof typeof signers | 'nobody';
  readonly algorithm: string;
  /** Tags of the response that are not what they ought to be. */
  readonly tags: Readonly<Record<string, string>>;
  /** Before it is signed, and after. */
  readonly before: (xml: string) => string;
  readonly after: (xml: string) => string;
}

const usual: SamlConduct = {
  nameId: 'u-1001',
  format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  attributes: { email: 'ada@acme.example', givenName: 'Ada', sn: 'Lovelace' },
  signer: 'idp',
  algorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  tags: {},
  before: (xml) => xml,
  after: (xml) => xml,
};

/** An identity provider by `samlify`, over HTTP on the loopback. */
export class SamlIdp {
  /** For the next sign-ins. */
  conduct: SamlConduct = usual;
  /** Whose certificate its metadata shows. */
  published: keyof typeof signers = 'idp';
  /** What the metadata answers instead; nothing is 503. */
  metadata: ((good: string) => string | undefined) | undefined;
  metadataAsked = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', this.url);
      if (url.pathname === '/metadata') {
        this.metadataAsked++;
        const good = this.#idp(this.published).getMetadata();
        const text = this.metadata === undefined ? good : this.metadata(good);
        response
          .writeHead(text === undefined ? 503 : 200, { 'content-type': 'application/samlmetadata+xml' })
          .end(text);
        return;
      }
      if (url.pathname === '/favicon.ico') {
        response.writeHead(204).end();
        return;
      }
      this.#signIn(url).then(
        (page) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
        (error) => response.writeHead(400).end(String(error)),
      );
    });
  }

  static async open(): Promise<SamlIdp> {
    const idp = new SamlIdp();
    await new Promise<void>((resolve) => idp.#server.listen(0, '127.0.0.1', () => resolve()));
    return idp;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the identity provider does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  get certificate(): string {
    return signers.idp.certificate;
  }

  /** It signs in whoever `conduct` says, from now on, until told otherwise. */
  behave(conduct: Partial<SamlConduct> = {}): void {
    this.conduct = { ...usual, ...conduct };
  }

  /** The form that it sends people back with: what they post, and where. */
  async respond(requestUrl: string): Promise<{ readonly action: string; readonly fields: Record<string, string> }> {
    const query = Object.fromEntries(new URL(requestUrl).searchParams);
    const idp = this.#idp(this.conduct.signer === 'nobody' ? 'idp' : this.conduct.signer);
    const parsed = await idp.parseLoginRequest(loneSp('unknown', 'http://unknown.example'), 'redirect', { query });
    const asked = parsed.extract as { issuer: string; request: { id: string; assertionConsumerServiceUrl: string } };
    const { issuer, request } = asked;
    const acs = request.assertionConsumerServiceUrl;
    const sp = loneSp(issuer, acs, this.conduct.signer !== 'nobody');
    const { context } = await idp.createLoginResponse(
      sp,
      { extract: { request: { id: request.id } } },
      'post',
      {},
      { customTagReplacement: (template) => this.#fill(template, issuer, acs, request.id) },
    );
    const xml = Buffer.from(context, 'base64').toString('utf8');
    const changed = Buffer.from(this.conduct.after(xml), 'utf8').toString('base64');
    return { action: acs, fields: { SAMLResponse: changed, RelayState: query.RelayState ?? '' } };
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #signIn(url: URL): Promise<string> {
    const { action, fields } = await this.respond(url.href);
    const inputs = Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    );
    return `<form method="post" action="${action}">${inputs.join('')}<button>Go on</button></form>`;
  }

  #idp(signer: keyof typeof signers) {
    const { key, certificate } = signers[signer];
    return samlify.IdentityProvider({
      entityID: 'https://idp.acme.example',
      privateKey: key,
      signingCert: certificate,
      isAssertionEncrypted: false,
      requestSignatureAlgorithm: this.conduct.algorithm,
      singleSignOnService: [
        { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: `${this.url}/sso` },
      ],
      singleLogoutService: [
        { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: `${this.url}/slo` },
      ],
      loginResponseTemplate: { context: this.conduct.before(template), attributes: [] },
    });
  }

  #fill(context: string, audience: string, acs: string, request: string): { id: string; context: string } {
    const { nameId, format, tags, attributes } = this.conduct;
    const [now, soon, before] = [0, 5 * 60_000, -60_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const id = `_${crypto.randomUUID()}`;
    const values: Record<string, string> = {
      ID: id,
      AssertionID: `_${crypto.randomUUID()}`,
      Issuer: 'https://idp.acme.example',
      IssueInstant: now ?? '',
      Destination: acs,
      InResponseTo: request,
      Recipient: acs,
      SubjectInResponseTo: request,
      AuthnInstant: now ?? '',
      NotOnOrAfter: soon ?? '',
      NotBefore: before ?? '',
      Audience: audience,
      NameID: nameId,
      NameIDFormat: format,
      StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      ...tags,
    };
    const statement = Object.entries(attributes).map(
      ([name, value]) =>
        `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
    );
    const filled = context.replace('{Attributes}', statement.join(''));
    return { id, context: filled.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '') };
  }
}

/** The service as `samlify` sees it: from what a request says alone. */
function loneSp(entityID: string, acs: string, wantAssertionsSigned = true) {
  return samlify.ServiceProvider({
    entityID,
    authnRequestsSigned: false,
    wantAssertionsSigned,
    assertionConsumerService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', Location: acs }],
  });
}

/** SAML 2.0 Profiles, 4.1.4.2. */
const template = [
  '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"',
  ' ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}" InResponseTo="{InResponseTo}">',
  '<saml:Issuer>{Issuer}</saml:Issuer>',
  '<samlp:Status><samlp:StatusCode Value="{StatusCode}"/></samlp:Status>',
  '<saml:Assertion ID="{AssertionID}" Version="2.0" IssueInstant="{IssueInstant}">',
  '<saml:Issuer>{Issuer}</saml:Issuer>',
  '<saml:Subject><saml:NameID Format="{NameIDFormat}">{NameID}</saml:NameID>',
  '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">',
  '<saml:SubjectConfirmationData NotOnOrAfter="{NotOnOrAfter}" Recipient="{Recipient}" InResponseTo="{SubjectInResponseTo}"/>',
  '</saml:SubjectConfirmation></saml:Subject>',
  '<saml:Conditions NotBefore="{NotBefore}" NotOnOrAfter="{NotOnOrAfter}">',
  '<saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>',
  '<saml:AuthnStatement AuthnInstant="{AuthnInstant}"><saml:AuthnContext><saml:AuthnContextClassRef>',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>',
  '<saml:AttributeStatement>{Attributes}</saml:AttributeStatement>',
  '</saml:Assertion></samlp:Response>',
].join('');
