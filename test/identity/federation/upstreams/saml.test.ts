import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { manualClock } from '../../../../src/platform/index.ts';
import { cpuMs } from '../../../platform/cpu-ms.ts';
import { type SamlConduct, SamlIdp, signers } from './saml-idp.ts';
import { attempt, configured, provider, samlService, signInAt } from './saml-scene.ts';

let idp: SamlIdp;
beforeAll(async () => {
  idp = await SamlIdp.open();
});
afterAll(() => idp.close());
beforeEach(() => {
  idp.behave();
  idp.published = 'idp';
  idp.metadata = undefined;
});

describe('a good answer', () => {
  test('says who has come, with the profile that the attributes tell', async () => {
    expect(await signInAt(idp)).toEqual({
      issuer: 'https://idp.acme.example',
      subject: 'u-1001',
      email: 'ada@acme.example',
      emailVerified: false,
      isEmailUnverified: false,
      isTrustedForEmail: false,
      profile: { givenName: 'Ada', familyName: 'Lovelace' },
      proof: { id: expect.stringMatching(/^https:\/\/idp.acme.example\n_/), until: expect.any(Number) },
    });
  });

  test('about an address of a trusted domain it is believed', async () => {
    const trusted = configured(idp, { trustedDomains: ['acme.example'] });
    expect(await signInAt(idp, samlService(), trusted)).toMatchObject({ emailVerified: true, isTrustedForEmail: true });
  });

  test('the name is the address where its format says so', async () => {
    const format = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
    idp.behave({ nameId: 'ada@acme.example', format, attributes: {} });
    expect(await signInAt(idp)).toMatchObject({ subject: 'ada@acme.example', email: 'ada@acme.example' });
  });

  test('the request names us, its address and its id, and RelayState is ours', async () => {
    const url = new URL(await samlService().request(configured(idp), attempt, {}));
    expect(url.origin + url.pathname).toBe(`${idp.url}/sso`);
    expect(url.searchParams.get('RelayState')).toBe('S'.repeat(43));
    expect([...url.searchParams.keys()].sort()).toEqual(['RelayState', 'SAMLRequest']);
  });

  test('a comment within the name does not cut it short', async () => {
    idp.behave({ nameId: 'admin@acme.example<!-- -->.evil.example' });
    expect(await signInAt(idp)).toMatchObject({ subject: 'admin@acme.example.evil.example' });
  });

  test('a comment put in afterwards, which the signature does not see, changes nothing', async () => {
    idp.behave({ nameId: 'admin@acme.example.evil.example', after: (xml) => xml.replace('.evil', '<!-- x -->.evil') });
    expect(await signInAt(idp)).toMatchObject({ subject: 'admin@acme.example.evil.example' });
  });
});

const assertionOf = (xml: string): string => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
const signatureOf = (xml: string): string => /<ds:Signature[\s\S]*<\/ds:Signature>/.exec(xml)?.[0] ?? '';
const forged = (xml: string): string =>
  assertionOf(xml)
    .replace(signatureOf(xml), '')
    .replace('u-1001', 'u-admin')
    .replace(/ ID="_[^"]+"/, ' ID="_evil"');

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const refusals: readonly { readonly name: string; readonly conduct: Partial<SamlConduct> }[] = [
  { name: 'unsigned', conduct: { signer: 'nobody' } },
  { name: 'signed by another key', conduct: { signer: 'other' } },
  { name: 'signed with SHA-1', conduct: { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' } },
  { name: 'changed after it was signed', conduct: { after: (xml) => xml.replace('u-1001', 'u-admin') } },
  { name: 'an attribute changed after it was signed', conduct: { after: (xml) => xml.replace('ada@', 'eve@') } },
  { name: 'the signature taken away', conduct: { after: (xml) => xml.replace(signatureOf(xml), '') } },
  {
    name: 'wrapped: a forged assertion before the signed one',
    conduct: { after: (xml) => xml.replace('<saml:Assertion', `${forged(xml)}<saml:Assertion`) },
  },
  {
    name: 'wrapped: a forged assertion after the signed one',
    conduct: { after: (xml) => xml.replace('</saml:Assertion>', `</saml:Assertion>${forged(xml)}`) },
  },
  {
    name: 'wrapped: the signed one within a forged one',
    conduct: {
      after: (xml) =>
        xml.replace(assertionOf(xml), forged(xml).replace('</saml:Subject>', `</saml:Subject>${assertionOf(xml)}`)),
    },
  },
  {
    name: 'wrapped: the signed one in extensions of the response',
    conduct: {
      after: (xml) =>
        xml
          .replace(assertionOf(xml), forged(xml))
          .replace('<samlp:Status>', `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions><samlp:Status>`),
    },
  },
  {
    name: 'wrapped: the signed one within the signature of a forged one',
    conduct: {
      after: (xml) => {
        const held = signatureOf(xml).replace(
          '</ds:Signature>',
          `<ds:Object>${assertionOf(xml)}</ds:Object></ds:Signature>`,
        );
        return xml.replace(assertionOf(xml), forged(xml).replace('<saml:Subject>', `${held}<saml:Subject>`));
      },
    },
  },
  {
    name: 'a forged assertion with the id of the signed one',
    conduct: {
      after: (xml) => {
        const id = / ID="(_[^"]+)" Version="2.0" IssueInstant="[^"]+"><saml:Issuer>/.exec(assertionOf(xml))?.[1] ?? '';
        return xml.replace('<saml:Assertion', `${forged(xml).replace('_evil', id)}<saml:Assertion`);
      },
    },
  },
  { name: 'another audience', conduct: { tags: { Audience: 'https://other.example/sp' } } },
  {
    name: 'no audience',
    conduct: { before: (xml) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') },
  },
  { name: 'no conditions', conduct: { before: (xml) => xml.replace(/<saml:Conditions.*<\/saml:Conditions>/, '') } },
  { name: 'another recipient', conduct: { tags: { Recipient: 'https://other.example/acs' } } },
  { name: 'no recipient', conduct: { before: (xml) => xml.replace(' Recipient="{Recipient}"', '') } },
  { name: 'another destination', conduct: { tags: { Destination: 'https://other.example/acs' } } },
  {
    name: 'an answer to another request',
    conduct: { tags: { InResponseTo: '_other', SubjectInResponseTo: '_other' } },
  },
  {
    name: 'a signed answer to another request in a response to this one',
    conduct: { tags: { SubjectInResponseTo: '_other' } },
  },
  {
    name: 'nothing in the assertion about the request',
    conduct: { before: (xml) => xml.replace(' InResponseTo="{SubjectInResponseTo}"', '') },
  },
  {
    name: 'nothing in the response about the request',
    conduct: { before: (xml) => xml.replace(' InResponseTo="{InResponseTo}"', '') },
  },
  {
    name: 'confirmed otherwise than by bearing it',
    conduct: { before: (xml) => xml.replace('cm:bearer', 'cm:sender-vouches') },
  },
  {
    name: 'without an end',
    conduct: {
      before: (xml) =>
        xml.replace('<saml:SubjectConfirmationData NotOnOrAfter="{NotOnOrAfter}"', '<saml:SubjectConfirmationData'),
    },
  },
  { name: 'ended', conduct: { tags: { NotOnOrAfter: ago(130_000) } } },
  { name: 'not begun', conduct: { tags: { NotBefore: ago(-600_000) } } },
  { name: 'of long ago', conduct: { tags: { IssueInstant: ago(15 * 60_000) } } },
  {
    name: 'nobody signed in',
    conduct: { before: (xml) => xml.replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, '') },
  },
  {
    name: 'two names',
    conduct: { before: (xml) => xml.replace('<saml:NameID ', '<saml:NameID>u-admin</saml:NameID><saml:NameID ') },
  },
  { name: 'an empty name', conduct: { nameId: ' ' } },
  { name: 'a document type', conduct: { after: (xml) => `<!DOCTYPE x [<!ENTITY a "b">]>${xml}` } },
  {
    name: 'nested without end',
    conduct: {
      after: (xml) => xml.replace('<samlp:Status>', `${'<a>'.repeat(2000)}${'</a>'.repeat(2000)}<samlp:Status>`),
    },
  },
  {
    name: 'a large one',
    conduct: { after: (xml) => xml.replace('<samlp:Status>', `<!--${'x'.repeat(100_000)}--><samlp:Status>`) },
  },
  { name: 'no XML', conduct: { after: () => 'hello' } },
  { name: 'no SAML', conduct: { after: () => '<Response/>' } },
];

describe('refused', () => {
  test.each(refusals)('$name', async ({ conduct }) => {
    idp.behave(conduct);
    await expect(signInAt(idp)).rejects.toMatchObject({ name: 'UpstreamError', fault: 'rejected' });
  });

  test('a name that changes every time', async () => {
    idp.behave({ format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' });
    await expect(signInAt(idp)).rejects.toMatchObject({ fault: 'misconfigured' });
  });

  test.each([
    ['urn:oasis:names:tc:SAML:2.0:status:AuthnFailed', 'refused'],
    ['urn:oasis:names:tc:SAML:2.0:status:Responder', 'misconfigured'],
  ])('status %s', async (StatusCode, fault) => {
    idp.behave({ tags: { StatusCode } });
    await expect(signInAt(idp)).rejects.toMatchObject({ fault });
  });

  test('a response where none is, or that is no base64', async () => {
    await expect(samlService().answer(configured(idp), attempt, {})).rejects.toMatchObject({ fault: 'rejected' });
    const broken = { SAMLResponse: '<Response/>' };
    await expect(samlService().answer(configured(idp), attempt, broken)).rejects.toMatchObject({ fault: 'rejected' });
  });

  test('what would take long to read is not read', async () => {
    const hostile = [
      `${' '.repeat(130_000)}!`,
      Buffer.from(`<a>${'<b xmlns:c="d">'.repeat(4000)}`).toString('base64'),
      Buffer.from(`<a>${'<!---->'.repeat(12_000)}</a>`).toString('base64'),
    ];
    const begun = cpuMs();
    for (const SAMLResponse of hostile) {
      const answer = samlService().answer(configured(idp), attempt, { SAMLResponse });
      await expect(answer).rejects.toMatchObject({ fault: 'rejected' });
    }
    expect(cpuMs() - begun).toBeLessThan(2000);
  });

  test('by our clock, however the clock of the machine goes', async () => {
    const clock = manualClock(Date.now());
    const upstream = samlService(clock);
    const { fields } = await idp.respond(await upstream.request(configured(idp), attempt, {}));
    clock.advance(8 * 60_000);
    await expect(upstream.answer(configured(idp), attempt, fields)).rejects.toMatchObject({ fault: 'rejected' });
  });

  test('a sign-in there that is older than the wish for a fresh one', async () => {
    idp.behave({ tags: { AuthnInstant: ago(130_000) } });
    const fresh = { ...attempt, freshSince: Date.now() };
    const url = await samlService().request(configured(idp), fresh, { isFresh: true });
    const request = inflateRawSync(
      Buffer.from(new URL(url).searchParams.get('SAMLRequest') ?? '', 'base64'),
    ).toString();
    expect(request).toContain('ForceAuthn="true"');
    const { fields } = await idp.respond(url);
    await expect(samlService().answer(configured(idp), fresh, fields)).rejects.toMatchObject({ fault: 'rejected' });
    expect(await samlService().answer(configured(idp), attempt, fields)).toMatchObject({ subject: 'u-1001' });
  });

  test('a certificate with a weak key is none', async () => {
    const weak = provider({ entryPoint: `${idp.url}/sso`, certificate: 'no certificate' });
    await expect(samlService().request(weak, attempt, {})).rejects.toMatchObject({ fault: 'misconfigured' });
  });
});

test('the certificates of the fixtures differ', () => {
  expect(signers.idp.certificate).not.toBe(signers.other.certificate);
});
