import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DocumentHost } from '../../../protocols/oauth/documents/document-host.ts';
import { type ReachedProvider, type Registration, RelyingParty } from '../../../protocols/oauth/relying-party.ts';
import { authorize, browserOf, newPerson } from '../../../protocols/oauth/signing-in.ts';
import { nextPort } from '../../../server/next-port.ts';
import { Front } from './front.ts';
import { type Check, runSuite } from './suite.ts';

/** An MCP server of somebody else, which has Relata in front of it. */
const resource = 'https://tools.example/mcp';
const scope = 'tools';

let front: Front;
let host: DocumentHost;
let provider: ReachedProvider;

beforeAll(async () => {
  [front, host] = await Promise.all([Front.open(), DocumentHost.open()]);
  const organization = await front.service.organization('authorization');
  provider = {
    issuer: `${front.url}/orgs/${organization.slug}`,
    listensAt: front.url,
    admin: (method, path, body) => organization.call(method, path, body === undefined ? {} : { body }),
  };
  const registration = { dynamic_client_registration_enabled: true };
  await provider.admin('PATCH', '/admin/settings/auth', { registration });
  // the suite names no scope
  await provider.admin('POST', '/admin/scopes', { name: scope, isDefault: true });
  await provider.admin('PATCH', '/admin/settings/oauth', {
    clientIdMetadataDocuments: true,
    openResources: [resource],
  });
});
afterAll(async () => {
  await host.close();
  await front.close();
});

/** What the suite says of the provider, while a person signs in at its pages and agrees. */
async function checksWith(port: number, id: string, secret?: string): Promise<readonly string[]> {
  const person = await newPerson(provider);
  let answered: Promise<unknown> | undefined;
  const results = await runSuite(
    [
      ...['authorization', '--url', provider.issuer, '--port', String(port), '--resource', resource],
      ...['--client-id', id, ...(secret === undefined ? [] : ['--client-secret', secret])],
    ],
    (output) => {
      const [url] = /^http\S+\/authorize\?\S+$/m.exec(output) ?? [];
      if (url === undefined) return;
      answered ??= authorize(browserOf(provider), { url: new URL(url) } as never, person)
        // the suite waits for an answer, also where there is no good one
        .catch((error: unknown) => `http://127.0.0.1:${port}/callback?error=${encodeURIComponent(String(error))}`)
        .then((callback) => fetch(callback));
    },
  );
  await answered;
  return [...results.values()].flat().map(saidOf).sort();
}

const saidOf = ({ id, status, errorMessage }: Check) =>
  [id, status, ...(errorMessage === undefined ? [] : [errorMessage])].join(' ');

const passed = [
  'authorization-code-grant SUCCESS',
  'authorization-server-metadata SUCCESS',
  'authorization-server-metadata-cimd SUCCESS',
];

describe('the conformance suite of authorization servers, against the issuer of an organization', () => {
  const registered = async (port: number, metadata: Registration) => {
    const redirects = { redirect_uris: [`http://127.0.0.1:${port}/callback`], application_type: 'native', scope };
    return await RelyingParty.registerItself(provider, { ...redirects, ...metadata });
  };

  test('a client that has registered itself', async () => {
    const port = await nextPort();
    const { id } = await registered(port, { token_endpoint_auth_method: 'none' });
    expect(await checksWith(port, id)).toEqual(passed);
  });

  test('a client that is a document', async () => {
    const port = await nextPort();
    host.said = { ...host.said, redirect_uris: ['http://127.0.0.1/callback'], scope };
    expect(await checksWith(port, host.id)).toEqual(passed);
  });

  test('a client with a secret, which the suite keeps to itself where public clients are served, too', async () => {
    const port = await nextPort();
    const { id, secret } = await registered(port, { token_endpoint_auth_method: 'client_secret_post' });
    const said = await checksWith(port, id, secret);
    expect(said).toContain('authorization-code-grant FAILURE Invalid status code: 401');
  });
});
