import { request as requestHttp } from 'node:http';
import { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { type Person, signIn } from '../../protocols/oauth/signing-in.ts';
import { nextPort } from '../../server/next-port.ts';
import { type Answer, Organization, RunningService } from '../../server/running-service.ts';

const slug = 'killed';
const base = `/orgs/${slug}`;

/** The built service with an agent and two people at their browsers, which is killed and started anew at one address. */
export class KilledScene {
  org: Organization;
  #service: RunningService;
  readonly #environment: Readonly<Record<string, string>>;
  #agent = { id: '', key: '' };

  private constructor(service: RunningService, environment: Readonly<Record<string, string>>, org: Organization) {
    this.#service = service;
    this.#environment = environment;
    this.org = org;
  }

  static async start(): Promise<KilledScene> {
    const environment = { RELATA_PORT: String(await nextPort()) };
    const service = await RunningService.start(environment);
    const scene = new KilledScene(service, environment, await service.organization(slug));
    await scene.org.directory('permission:db:write');
    const made = await scene.org.post('/admin/agents', { name: 'Night shift', type: 'bot' });
    scene.#agent = { id: made.text('data.id'), key: made.text('data.apiKey') };
    return scene;
  }

  /** Somebody who can lend `db:write`, signed in. */
  async approver(name: string): Promise<Approver> {
    const email = `${name}@example.com`;
    const password = `correct horse ${name} battery`;
    const made = await this.org.post('/admin/users', { email, password, emailVerified: true });
    const person: Person = { id: made.text('data.id'), email, password };
    const tuples = ['jit.approve', 'db:write'].map((each) => `permission:${each}#granted@user:${person.id}`);
    const granted = await this.org.post('/zanzibar/tuples', { writes: tuples });
    if (granted.status !== 200) throw new Error(JSON.stringify([made.body, granted.body]));
    const browser = new FormBrowser({ origin: this.#service.url });
    const page = await signIn(browser, await browser.open(`${base}/account`), person);
    if (page.status !== 200) throw new Error(page.describe());
    return new Approver(person, browser);
  }

  /** The agent asks. Answers the id of the task. */
  async ask(): Promise<string> {
    const body = { task_description: 'Correct the prices', required_scopes: ['db:write'], duration: 3600 };
    const asked = await this.org.post('/jit/task', body, { key: this.#agent.key });
    if (asked.status !== 201) throw new Error(JSON.stringify(asked.body));
    return asked.text('task_id');
  }

  exchange(taskId: string): Promise<Answer> {
    const form = { client_id: this.#agent.id, client_secret: this.#agent.key, jit_task_id: taskId };
    const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
    return this.org.call('POST', '/oauth/token', {
      key: undefined,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type, ...form }).toString(),
    });
  }

  kill(): Promise<unknown> {
    return this.#service.stop('SIGKILL');
  }

  /** At the same address, with the same data. */
  async startAgain(): Promise<void> {
    this.#service = await RunningService.start(this.#environment, this.#service.folder);
    this.org = new Organization(this.#service, slug, this.org.key);
  }

  remove(): Promise<void> {
    return this.#service.remove();
  }
}

export class Approver {
  readonly person: Person;
  readonly #browser: FormBrowser;

  constructor(person: Person, browser: FormBrowser) {
    this.person = person;
    this.#browser = browser;
  }

  open(taskId: string): Promise<Page> {
    return this.#browser.open(`${base}/approvals/${taskId}`);
  }

  /** Presses a button of the page. Answers the status of that very request; `undefined` where no answer came. */
  decide(page: Page, decision: 'approve' | 'deny'): Promise<number | undefined> {
    const form = page.form([], decision);
    const sent = new URLSearchParams(
      form.fields
        .filter(({ type, isChecked }) => type !== 'checkbox' || isChecked)
        .map(({ name, value }) => [name, value] as [string, string]),
    );
    sent.set('decision', decision);
    const url = new URL(form.action, page.url);
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: this.#browser.cookies.header(url, { crossSite: false, method: 'POST' }),
      origin: url.origin,
      'sec-fetch-site': 'same-origin',
    };
    return new Promise((resolve) => {
      const request = requestHttp(url, { method: 'POST', headers, agent: false }, (response) => {
        response.on('error', () => {}).resume();
        resolve(response.statusCode);
      });
      request.on('error', () => resolve(undefined));
      request.end(sent.toString());
    });
  }
}
