import type { Engine, Store } from '#engine';
import { defineProblems, ProblemError, problem } from '../../../http/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { refused } from '../../../kernel/transactions/index.ts';
import { type Log, type Sealer, SmsError, type SmsGateway, type SmsProvider } from '../../../platform/index.ts';
import { readSettings, type Settings, secretBinding } from '../truth/settings.ts';

export const smsProblems = defineProblems({ sms_failed: [503, 'The text message could not be sent'] });

interface OrganizationSmsDependencies {
  readonly engine: Engine;
  readonly gateway: SmsGateway;
  readonly sealer: Sealer;
  readonly log: Log;
}

/** Short messages of organizations to their users: by the organization's own provider where it has one, else the operator's. */
export class OrganizationSms {
  readonly #dependencies: OrganizationSmsDependencies;

  constructor(dependencies: OrganizationSmsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether there is any provider for the organization. To be called inside `Engine.read`. */
  canSend(store: Store): boolean {
    return this.#dependencies.gateway.hasOwnProvider || readSettings(store).sms.url !== null;
  }

  /**
   * Resolves when a provider has taken the message.
   * @throws ProblemError 422 `refused` where none is configured or it is on a private network, 503 `sms_failed` where it
   * does not take the message
   */
  async send(organization: Organization, to: string, text: string): Promise<void> {
    const { engine, gateway, log } = this.#dependencies;
    const { sms } = engine.read(() => readSettings(organization.store));
    try {
      await gateway.send({ to, text }, this.#own(organization, sms));
    } catch (error) {
      if (!(error instanceof SmsError)) throw error;
      if (error.code === 'not_configured') throw refused('No provider of short messages is configured.');
      if (error.code === 'refused_address') throw refused('The organization’s provider is on a private network.');
      log.warn({ organization: organization.slug, error }, 'a short message was not handed over');
      throw new ProblemError(
        problem(smsProblems.sms_failed, 'The provider did not accept the message.', {
          headers: { 'retry-after': '60' },
        }),
      );
    }
  }

  #own({ id }: Organization, { url, format, from, user, password, token }: Settings['sms']): SmsProvider | undefined {
    if (url === null) return undefined;
    const open = (name: string, sealed: string | null): string | undefined =>
      sealed === null ? undefined : this.#dependencies.sealer.open(sealed, secretBinding(id, 'sms', name));
    return {
      url,
      format,
      from: from ?? undefined,
      user: user ?? undefined,
      password: open('password', password),
      token: open('token', token),
    };
  }
}
