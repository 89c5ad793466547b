import { z } from 'zod';
import { endpointFor, json } from '../../../src/http/index.ts';
import { factsOf } from '../../../src/kernel/audit/index.ts';
import { type Caller, inBothFamilies } from '../../../src/kernel/organizations/index.ts';
import { type QueryHandler, type QueryTask, queryReply } from '../../../src/kernel/queries/index.ts';
import type { SystemPermission } from '../../../src/kernel/rights/index.ts';
import {
  requireHeldThrough,
  requireHeldToRevoke,
  requireNoLess,
  transact,
} from '../../../src/kernel/transactions/index.ts';
import { digestOf } from '../../../src/platform/index.ts';
import { renderScim } from '../../../src/protocols/scim/errors/scim-errors.ts';
import { modules, type ServiceModule } from '../../../src/server/modules.ts';
import { ClockedProvider } from '../../protocols/oauth/in-process.ts';
import { type Answer, platformKey } from '../../server/running-service.ts';

const endpoint = endpointFor<Caller>();
const access = { scope: 'scim' } as const;
const texts = z.strictObject({ permissions: z.array(z.string()) });
const asked = z.strictObject({
  give: z.string().optional(),
  take: z.string().optional(),
  touch: z.string().optional(),
});

interface ProbeTask extends QueryTask {
  readonly permissions: readonly string[];
}

const allowed = (caller: Caller, permissions: readonly string[]) =>
  permissions.filter((each) => caller.may(each as SystemPermission));

/** Asks in a thread of the query pool. */
const elsewhere: QueryHandler<ProbeTask> = {
  kind: 'probe',
  permission: undefined,
  answer: (caller, { permissions }) => ({ subject: caller.subject, may: allowed(caller, permissions) }),
};

/** Endpoints for credentials that provision, which say who calls and what the caller may. */
const probe: ServiceModule = {
  name: 'probe',
  queries: () => [elsewhere],
  endpoints: (services) =>
    inBothFamilies((base) => {
      const common = { tags: ['Probe'], access, renderer: renderScim, summary: 'Probe' } as const;
      return [
        endpoint({
          ...common,
          method: 'POST',
          path: `${base}/probe`,
          body: texts,
          responses: { 200: z.unknown() },
          handler: ({ caller, body }) =>
            services.engine.read(() => json(200, { subject: caller.subject, may: allowed(caller, body.permissions) })),
        }),
        endpoint({
          ...common,
          method: 'POST',
          path: `${base}/probe/elsewhere`,
          body: texts,
          responses: { 200: z.unknown() },
          handler: ({ caller, body }) =>
            queryReply(services.queryPool, caller, { kind: 'probe', permissions: body.permissions }),
        }),
        endpoint({
          ...common,
          method: 'POST',
          path: `${base}/probe/changes`,
          body: asked,
          responses: { 200: z.unknown() },
          errors: ['unavailable'],
          async handler(call) {
            const { caller, body } = call;
            await transact(services, caller, factsOf(call), (transaction) => {
              if (body.give !== undefined) requireHeldThrough(transaction, body.give);
              if (body.take !== undefined) requireHeldToRevoke(transaction, body.take);
              if (body.touch !== undefined) requireNoLess(transaction, body.touch);
              transaction.change([{ op: 'write_tuples', store: transaction.store.name, tuples: [] }]);
              transaction.audit({ eventType: 'admin.action', action: 'probe.change' });
            });
            return json(200, {});
          },
        }),
      ];
    }),
};

/** A service that has endpoints for SCIM alone, whoever calls them. */
export class ProvisioningScene {
  readonly provider: ClockedProvider;

  private constructor(provider: ClockedProvider) {
    this.provider = provider;
  }

  static async start(slug: string): Promise<ProvisioningScene> {
    const given = { modules: [...modules, probe], platformDigest: digestOf(platformKey) };
    const scene = new ProvisioningScene(await ClockedProvider.start(slug, {}, given));
    await scene.set({ enabled: true });
    return scene;
  }

  set(settings: object): Promise<Answer> {
    return this.provider.admin('PATCH', '/admin/settings/scim', settings);
  }

  /** A new SCIM token. */
  async token(body: object = { name: 'Entra' }): Promise<{ readonly id: string; readonly token: string }> {
    const made = await this.provider.admin('POST', '/admin/settings/scim/tokens', body);
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return { id: made.text('data.id'), token: made.text('data.token') };
  }

  /** What a request with this credential is answered. */
  ask(key: string | undefined, path = '/probe', body: object = { permissions: [] }): Promise<Answer> {
    return this.provider.organization.org('POST', path, { key, body });
  }

  async may(key: string, permissions: readonly string[], path = '/probe'): Promise<unknown> {
    return (await this.ask(key, path, { permissions })).at('may');
  }

  stop(): Promise<void> {
    return this.provider.service.stop();
  }
}
