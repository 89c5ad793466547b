import { beforeEach } from 'vitest';
import { scene } from '../../../security/organizations.ts';
import { InFamily } from '../../../server/in-family.ts';
import type { Answer } from '../../../server/running-service.ts';

type Body = Readonly<Record<string, unknown>>;

/** An organization that is provisioned, with the administrator's view of it. */
export interface Provisioned {
  readonly admin: InFamily;
  readonly token: string;
  send(method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
  patch(path: string, ...operations: readonly Body[]): Promise<Answer>;
  /** Requires success, and answers what was made. */
  make(path: string, body: Body): Promise<Body & { readonly id: string }>;
  configure(settings: Body): Promise<unknown>;
}

const urn = 'urn:ietf:params:scim:schemas:core:2.0:';

export function user(name: string, extra: Body = {}): Body {
  return {
    schemas: [`${urn}User`],
    userName: name,
    name: { givenName: 'Ada', familyName: name },
    emails: [{ value: `${name}@people.example`, primary: true }],
    ...extra,
  };
}

export function group(displayName: string, ...members: readonly string[]): Body {
  return { schemas: [`${urn}Group`], displayName, members: members.map((value) => ({ value })) };
}

/** A new one for each test of a file. */
export function provisioned(): () => Provisioned {
  const on = scene();
  let current: Provisioned | undefined;
  beforeEach(async () => {
    current = await provision(new InFamily(on.org, 'org'));
  });
  return () => {
    if (current === undefined) throw new Error('the organization begins with the first test');
    return current;
  };
}

export async function provision(admin: InFamily): Promise<Provisioned> {
  const configure = (settings: Body) => admin.make('PATCH', '/settings/scim', settings);
  await configure({ enabled: true, provisioning: { delete_users: true } });
  const { token: secret } = await admin.make<{ token: string }>('POST', '/settings/scim/tokens', { name: 'directory' });
  const { slug, service } = admin.org;
  const send: Provisioned['send'] = (method, path, body, token = secret) =>
    service.call(method, `/orgs/${slug}/scim2.0${path}`, { key: token, body });
  return {
    admin,
    token: secret,
    send,
    patch: (path, ...operations) =>
      send('PATCH', path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }),
    async make(path, body) {
      const answer = await send('POST', path, body);
      if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as Body & { readonly id: string };
    },
    configure,
  };
}
