import type { Organization } from '../../server/running-service.ts';
import { Minute } from './minute.ts';
import { pace } from './pace.ts';
import { type PacedAnswer, PacedClient } from './paced-client.ts';

const USERS = 2000;
const DOCUMENTS = 10_000;
const FOLDERS = 500;
/** Written tuples stay for as many further writes: some minutes. */
const KEPT = 3000;
const LIFE_MS = 120_000;
/** Every so many writes one that ends by itself, and one that is asked about as soon as it is acknowledged. */
const EXPIRING_EACH = 5;
const ASKED_EACH = 5;
const SHOWN_MAX = 20;

const model = [
  'type user',
  'type folder',
  '  relations',
  '    define viewer: [user]',
  'type document',
  '  relations',
  '    define parent: [folder]',
  '    define viewer: [user]',
  '    define can_view: viewer or viewer from parent',
];

export interface Rates {
  readonly checks: number;
  readonly writes: number;
  readonly tokens: number;
}

const EMPTY_PER_SECOND = 100;

/** What clients of one organization do, each answer compared with what it must be. */
export class Load {
  readonly #organization: Organization;
  readonly #client: PacedClient;
  readonly #stops: (() => void)[] = [];
  /** Numbers of writes that were acknowledged and stay, with the document and user of each. */
  readonly #kept = new Map<number, string>();
  #application = '';
  #minute = new Minute();
  #asked = 0;
  #written = 0;
  #shown = 0;

  constructor(organization: Organization) {
    this.#organization = organization;
    this.#client = new PacedClient(organization.service.port, 64);
  }

  get lostAnswers(): number {
    return this.#client.lost;
  }

  /** Every user sees the folders whose number leaves the same rest, and what lies in them; and what is written to them. */
  async prepare(): Promise<void> {
    await this.#organization.model(...model);
    const tuples: string[] = [];
    for (let user = 0; user < USERS; user++) tuples.push(`folder:f${user % FOLDERS}#viewer@user:u${user}`);
    for (let document = 0; document < DOCUMENTS; document++) {
      tuples.push(`document:d${document}#parent@folder:f${document % FOLDERS}`);
    }
    for (let at = 0; at < tuples.length; at += 1000) {
      const answer = await this.#organization.post('/zanzibar/tuples', { writes: tuples.slice(at, at + 1000) });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    }
    const client = await this.#organization.post('/admin/clients', {
      name: 'Soak',
      grantTypes: ['client_credentials'],
      tokenEndpointAuthMethod: 'client_secret_post',
    });
    if (client.status !== 201) throw new Error(JSON.stringify(client.body));
    this.#application = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.text('data.clientId'),
      client_secret: client.text('data.clientSecret'),
    }).toString();
  }

  start({ checks, writes, tokens }: Rates): void {
    this.#stops.push(
      pace(checks, () => this.#check()),
      pace(writes, () => this.#write()),
      pace(tokens, () => this.#token()),
      pace(EMPTY_PER_SECOND, () => this.#empty()),
    );
  }

  /** What was answered since this was asked last. */
  takeMinute(): Minute {
    const minute = this.#minute;
    this.#minute = new Minute();
    return minute;
  }

  /** Ends the load. Answers how many acknowledged writes are not there. */
  async stop(): Promise<number> {
    for (const stop of this.#stops) stop();
    while (this.#client.underWay > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    let lost = 0;
    for (const place of this.#kept.values()) {
      const [document, user] = place.split(' ');
      const question = { object: `document:${document}`, relation: 'viewer', subject: `user:${user}` };
      const answer = await this.#organization.post('/zanzibar/check', question);
      if (answer.at('allowed') !== true) lost++;
    }
    this.#client.close();
    return lost;
  }

  #check(): void {
    const number = this.#asked++;
    const isMeant = number % 2 === 0;
    const user = (number * 7919) % USERS;
    const folder = (user + (isMeant ? 0 : 1)) % FOLDERS;
    const document = ((number * 31) % (DOCUMENTS / FOLDERS)) * FOLDERS + folder;
    this.#ask(`document:d${document}`, 'can_view', `user:u${user}`, isMeant);
  }

  #ask(object: string, relation: string, subject: string, expected: boolean, atLeast?: string): void {
    const consistency = atLeast === undefined ? undefined : { atLeast };
    this.#post('/zanzibar/check', { object, relation, subject, consistency }, (answer, millis) => {
      const isRight = answer.status === 200 && answer.body.includes(`"allowed":${expected}`);
      this.#minute.checks.add(millis, isRight);
      if (!isRight) this.#show(`${object} ${relation} ${subject}, expected ${expected}`, answer);
    });
  }

  /** A tuple on a document that nobody else is asked about in the checks: `viewer` of users with names of their own. */
  #write(): void {
    const number = this.#written++;
    const isExpiring = number % EXPIRING_EACH === 0;
    const place = placeOf(number);
    const write = {
      ...tuple(place),
      ...(isExpiring ? { expiresAt: new Date(Date.now() + LIFE_MS).toISOString() } : {}),
    };
    const old = this.#kept.get(number - KEPT);
    const deletes = old === undefined ? [] : [tuple(old)];
    this.#post('/zanzibar/tuples', { writes: [write], deletes }, (answer, millis) => {
      this.#minute.writes.add(millis, answer.status === 200);
      if (answer.status !== 200) return this.#show(`write ${place}`, answer);
      this.#kept.delete(number - KEPT);
      if (!isExpiring) this.#kept.set(number, place);
      if (number % ASKED_EACH !== 1) return;
      const { revision } = JSON.parse(answer.body) as { readonly revision: string };
      const { object, subject } = tuple(place);
      this.#ask(object, 'viewer', subject, true, revision);
    });
  }

  #token(): void {
    const path = `/t/${this.#organization.slug}/api/v1/oauth/token`;
    this.#send('POST', path, 'application/x-www-form-urlencoded', this.#application, (answer, millis) => {
      this.#minute.tokens.add(millis, answer.status === 200);
      if (answer.status !== 200) this.#show('token', answer);
    });
  }

  #empty(): void {
    this.#send('GET', '/healthz', '', '', (answer, millis) => this.#minute.empty.add(millis, answer.status === 200));
  }

  #post(path: string, body: object, answered: (answer: PacedAnswer, millis: number) => void): void {
    this.#send(
      'POST',
      `/t/${this.#organization.slug}/api/v1${path}`,
      'application/json',
      JSON.stringify(body),
      answered,
    );
  }

  #send(
    method: string,
    path: string,
    type: string,
    body: string,
    answered: (answer: PacedAnswer, millis: number) => void,
  ): void {
    const key = type === 'application/json' ? `Authorization: Bearer ${this.#organization.key}\r\n` : '';
    const content = type === '' ? '' : `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`;
    this.#client.send({
      text: `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${key}${content}\r\n${body}`,
      answered,
    });
  }

  #show(what: string, { status, body }: PacedAnswer): void {
    if (this.#shown++ < SHOWN_MAX) console.error(`${what}: ${status} ${body.slice(0, 300)}`);
  }
}

/** Names come again after a while, so that the store does not grow by new ones. */
function placeOf(number: number): string {
  return `d${(number * 7) % DOCUMENTS} w${Math.floor(number / DOCUMENTS) % 20}`;
}

function tuple(place: string) {
  const [document, user] = place.split(' ');
  return { object: `document:${document}`, relation: 'viewer', subject: `user:${user}` };
}
