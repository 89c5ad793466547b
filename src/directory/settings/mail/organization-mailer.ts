import type { Engine, Store } from '#engine';
import { defineProblems, ProblemError, problem } from '../../../http/index.ts';
import { type Organization, organizationEntry } from '../../../kernel/organizations/index.ts';
import { refused } from '../../../kernel/transactions/index.ts';
import {
  composeMail,
  type Log,
  type MailContent,
  MailError,
  type Mailer,
  type MailServer,
  type Sealer,
} from '../../../platform/index.ts';
import { readSettings, type Settings, secretBinding } from '../truth/settings.ts';

export const mailProblems = defineProblems({ mail_failed: [503, 'The email could not be sent'] });

/** A mail as a feature words it; whose it is, and how it looks, the organization's settings say. */
interface OrganizationMail extends Omit<MailContent, 'brand'> {
  readonly to: string;
}

interface OrganizationMailDependencies {
  readonly engine: Engine;
  readonly mailer: Mailer;
  readonly sealer: Sealer;
  readonly baseUrl: string;
  readonly log: Log;
}

/** Mail of organizations to their users: from the organization's own server where it has one, else the operator's. */
export class OrganizationMailer {
  readonly #dependencies: OrganizationMailDependencies;

  constructor(dependencies: OrganizationMailDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether there is any server for the organization. To be called inside `Engine.read`. */
  canSend(store: Store): boolean {
    return this.#dependencies.mailer.hasOwnServer || readSettings(store).email.smtpHost !== null;
  }

  /**
   * Resolves when a server has taken the mail.
   * @throws ProblemError 422 `refused` where no server is configured or it is on a private network, 503 `mail_failed`
   * where the server does not take it
   */
  async send(organization: Organization, { to, ...content }: OrganizationMail): Promise<void> {
    const { engine, mailer, baseUrl, log } = this.#dependencies;
    const { settings, name } = engine.read(() => ({
      settings: readSettings(organization.store),
      name: organizationEntry(engine, organization.slug)?.document.name ?? organization.slug,
    }));
    const { branding, email } = settings;
    const brand = { name, colour: branding.primaryColor, footer: branding.footerText ?? undefined };
    const from = { name: email.fromName ?? name, address: email.fromEmail ?? `no-reply@${new URL(baseUrl).hostname}` };
    const replyTo = email.replyTo ?? branding.supportEmail ?? undefined;
    try {
      await mailer.send({ to, from, replyTo, ...composeMail({ ...content, brand }) }, this.#own(organization, email));
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      if (error.code === 'not_configured') throw refused('No mail server is configured.');
      if (error.code === 'refused_address') throw refused('The organization’s mail server is on a private network.');
      log.warn({ organization: organization.slug, error }, 'a mail was not handed over');
      throw new ProblemError(
        problem(mailProblems.mail_failed, 'The mail server did not accept the message.', {
          headers: { 'retry-after': '60' },
        }),
      );
    }
  }

  #own({ id }: Organization, email: Settings['email']): MailServer | undefined {
    const { smtpHost, smtpPort, smtpSecure, smtpUser, smtpPassword } = email;
    if (smtpHost === null) return undefined;
    const server = { host: smtpHost, port: smtpPort, secure: smtpSecure };
    if (smtpUser === null) return server;
    const password =
      smtpPassword === null
        ? ''
        : this.#dependencies.sealer.open(smtpPassword, secretBinding(id, 'email', 'smtpPassword'));
    return { ...server, user: smtpUser, password };
  }
}
