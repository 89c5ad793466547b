import { approveTask, denyTask, taskView } from '../../../src/directory/elevations/index.ts';
import { taskRecords } from '../../../src/directory/records/index.ts';
import { facts, type NewUser } from '../../identity/sessions/in-process-service.ts';
import type { Answer } from '../../server/running-service.ts';
import { AgencyScene, type TestAgent } from '../agency/agency-scene.ts';

export const evaluation = '/access/v1/evaluation';
export const requests = '/access/v1/requests';

/** The problem type of an error of the profile. */
export const type = (code: string) => `urn:openid:authzen:access-request:error:${code}`;

/** What an agent asks about itself. */
export const question = (agent: TestAgent, action = 'write', id = 'plan') => ({
  subject: { type: 'agent', id: agent.id },
  action: { name: action },
  resource: { type: 'docs', id },
});

/** An organization in which agents are denied something, ask for it, and somebody decides. */
export class RequestScene {
  readonly agency: AgencyScene;
  readonly approver: NewUser;

  private constructor(agency: AgencyScene, approver: NewUser) {
    this.agency = agency;
    this.approver = approver;
  }

  static async start(slug: string): Promise<RequestScene> {
    const agency = await AgencyScene.start(slug);
    return new RequestScene(agency, await agency.user('jit.approve', 'docs:write', 'docs:erase'));
  }

  /** Asks, is denied, and answers with the request that the denial admits. */
  async denied(agent: TestAgent, action?: string, id?: string) {
    const asked = question(agent, action, id);
    const answer = await this.agency.call(agent.key, 'POST', evaluation, asked);
    if (answer.at('context.reason') !== 'approval_required') throw new Error(JSON.stringify(answer.body));
    return {
      ...asked,
      denial: {
        evaluation_id: answer.text('context.evaluation_id'),
        expires_at: answer.text('context.access_request.expires_at'),
        binding_token: answer.text('context.access_request.binding_token'),
      },
    };
  }

  submit(agent: TestAgent, body: object, key = ''): Promise<Answer> {
    return this.agency.provider.organization.org('POST', requests, {
      key: agent.key,
      body,
      ...(key === '' ? {} : { headers: { 'idempotency-key': key } }),
    });
  }

  status(agent: TestAgent, id: string): Promise<Answer> {
    return this.agency.call(agent.key, 'GET', `${requests}/${id}`);
  }

  /** Evaluates with an approval. */
  again(agent: TestAgent, id: string, asked: object = question(agent)): Promise<Answer> {
    return this.agency.call(agent.key, 'POST', evaluation, { ...asked, context: { approval: { id } } });
  }

  /** Lends it for some seconds, or denies it. */
  decideAs(user: NewUser, id: string, seconds?: number) {
    const { service, organization } = this.agency.provider;
    const dependencies = service.keyDependencies();
    const decided = [dependencies, organization.organization, user.id, facts, id] as const;
    const digest = this.#digestOf(id);
    return seconds === undefined
      ? denyTask(...decided, { digest })
      : approveTask(...decided, { digest, scopes: ['docs:write'], seconds });
  }

  #digestOf(id: string): string {
    const { service, organization } = this.agency.provider;
    const { store } = organization.organization;
    return service.read(() => {
      const entry = taskRecords.get(store, id);
      return entry === undefined ? '' : taskView(store, entry, service.clock.now()).digest;
    });
  }
}
