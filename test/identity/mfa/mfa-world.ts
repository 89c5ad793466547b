import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type FactorView, listFactors, type Mfa, type Whose } from '../../../src/identity/mfa/index.ts';
import { SmsInbox } from '../../platform/sms-inbox.ts';
import { mailBodies, SmtpInbox } from '../../platform/smtp-inbox.ts';
import { type InProcessOrganization, InProcessService, type NewUser } from '../sessions/in-process-service.ts';

export const MINUTE = 60_000;
const STEP_MS = 30_000;
export const facts = { requestId: 'test', header: () => '', clientAddress: () => '192.0.2.7' };

/** The service in this process, with a provider of short messages and a mail server: one organization a test. */
export class MfaWorld {
  service!: InProcessService;
  org!: InProcessOrganization;
  user!: NewUser;
  readonly phones: SmsInbox;
  readonly mails: SmtpInbox;
  static #count = 0;

  constructor(phones: SmsInbox, mails: SmtpInbox) {
    this.phones = phones;
    this.mails = mails;
  }

  get mfa(): Mfa {
    return this.service.signIn.dependencies.mfa;
  }

  get now(): number {
    return this.service.clock.now();
  }

  async renew(): Promise<void> {
    this.org = await this.service.organization(`mfa-${++MfaWorld.#count}`);
    this.user = await this.org.newUser('dora@example.org');
    this.phones.messages.length = 0;
    this.phones.answer = { status: 201 };
    this.mails.mails.length = 0;
  }

  whose(binding = 'flow-1', { id }: NewUser = this.user, { organization } = this.org): Whose {
    return { organization, userId: id, binding };
  }

  /** What an administrator sees of the user. */
  async record(): Promise<Record<string, unknown>> {
    const { body } = await this.org.org('GET', `/admin/users/${this.user.id}`);
    return (body as { data: { data: Record<string, unknown> } }).data.data;
  }

  async settings(category: string, body: object): Promise<void> {
    const answer = await this.org.org('PATCH', `/admin/settings/${category}`, { body });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }

  allow(...methods: string[]): Promise<void> {
    return this.settings('authentication', { mfaMethods: methods });
  }

  /** A secret whose codes all differ for as long as a test lasts, so that none passes for another. */
  offer(whose = this.whose()) {
    for (;;) {
      const offer = this.mfa.totp.offer(whose);
      const app = appOf(offer.uri);
      const codes = Array.from({ length: 100 }, (_, step) =>
        app.generate({ timestamp: this.now + (step - 10) * STEP_MS }),
      );
      if (new Set(codes).size === codes.length) return offer;
    }
  }

  /** Registers an authenticator app. */
  async enrolTotp(whose = this.whose()): Promise<{ app: TOTP; recoveryCodes: readonly string[]; factorId: string }> {
    const offer = this.offer(whose);
    const app = appOf(offer.uri);
    const { token } = offer;
    const enrolled = await this.mfa.totp.confirm(whose, { token, code: app.generate({ timestamp: this.now }) }, facts);
    if (!enrolled.ok) throw new Error(enrolled.reason);
    this.service.clock.advance(MINUTE); // the step is spent
    return { app, recoveryCodes: enrolled.recoveryCodes ?? [], factorId: enrolled.factorId };
  }

  factors(user = this.user): FactorView[] {
    return this.service.read(() => listFactors(this.org.organization.store, user.id));
  }

  /** The audit log, the latest first. */
  async log(): Promise<{ action: string; eventType: string; metadata: Record<string, unknown> }[]> {
    const answer = await this.org.org('GET', '/admin/audit-logs?limit=100');
    return answer.list('data.data') as never;
  }

  /** The latest mail with a code: others may come at any time. */
  latestMail(): string {
    const mails = this.mails.mails.filter(({ raw }) => raw.includes('Subject: Your sign-in code'));
    const mail = mails.at(-1);
    if (mail === undefined) throw new Error('no code has come');
    return mailBodies(mail);
  }
}

/** An application that has read the picture. */
export function appOf(uri: string): TOTP {
  const url = new URL(uri);
  const read = (name: string) => url.searchParams.get(name) ?? '';
  return new TOTP({
    issuer: read('issuer'),
    label: decodeURIComponent(url.pathname),
    secret: read('secret'),
    algorithm: read('algorithm'),
    digits: Number(read('digits')),
    period: Number(read('period')),
  });
}

/** What is no code of the app at that time, nor shortly before or after it. */
export function wrongCode(app: TOTP, now: number): string {
  const near = [-2, -1, 0, 1, 2].map((step) => app.generate({ timestamp: now + step * STEP_MS }));
  const wrong = ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code));
  return wrong as string;
}

export function mfaWorld(environment: Readonly<Record<string, string>> = {}): MfaWorld {
  // filled before the first test
  const world = new MfaWorld(undefined as never, undefined as never);
  beforeAll(async () => {
    const [phones, mails] = await Promise.all([SmsInbox.open(), SmtpInbox.open()]);
    Object.assign(world, { phones, mails });
    world.service = await InProcessService.start({
      RELATA_SMS_URL: phones.url,
      RELATA_SMS_FROM: 'Relata',
      RELATA_SMTP_URL: mails.url,
      RELATA_LIMIT_RATE_EXPENSIVE: '0',
      ...environment,
    });
  });
  beforeEach(() => world.renew());
  afterAll(() => Promise.all([world.service.stop(), world.phones.close(), world.mails.close()]));
  return world;
}
