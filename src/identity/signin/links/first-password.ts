import { setTimeout as sleep } from 'node:timers/promises';
import { countsNow, getUser } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import { passwordState } from '../../../directory/users/index.ts';
import { type RequestFacts, systemActor } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { transactAs } from '../../../kernel/transactions/index.ts';
import { textsFor } from '../../../texts/index.ts';
import type { SignInDependencies } from '../dependencies.ts';
import { hasLink, newLink } from './link-record.ts';
import { countInbox } from './mail-budget.ts';
import { deviceText, firstPasswordMail, LETTER_AFTER_MS, type Letter, send } from './request-link.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Whoever has no password and tries to sign in with one is sent a link to set it, once for each flow. All of it happens
 * a while after the answer, and changes neither the flow nor what a network may ask for: whoever typed the address of
 * somebody else finds out nothing by it.
 */
export function mailFirstPassword(
  dependencies: SignInDependencies,
  organization: Organization,
  { flow, userId }: { readonly flow: string; readonly userId: string },
  facts: RequestFacts,
): void {
  const { mailer, background } = dependencies;
  const { store } = organization;
  // the request is gone by then
  const language = facts.header('accept-language');
  const from = deviceText(facts.header('user-agent'));
  void background.run('letters', async () => {
    await sleep(LETTER_AFTER_MS);
    const letter = await transactAs(
      dependencies,
      organization,
      systemActor,
      undefined,
      (transaction): Letter | undefined => {
        const { now } = transaction;
        const user = getUser(store, userId);
        const { allowPassword, magicLinksOnly } = readSettings(store).signIn;
        const { hasPassword, changedAt: passwordAt } = passwordState(store, userId);
        if (user === undefined || !countsNow(user.document) || hasPassword) return undefined;
        if (!allowPassword || magicLinksOnly || !mailer.canSend(store) || hasLink(store, 'reset', flow, now))
          return undefined;
        const { email, locale } = user.document;
        // of no browser: it works where it is opened, and after the flow
        const about = { flow, browser: '', email, userId, passwordAt, from, askedAt: now };
        const token = newLink(transaction, { purpose: 'reset', ...about, expiresAt: now + HOUR_MS });
        const mayBeSent = countInbox(transaction, email, now);
        const { path, ...words } = firstPasswordMail;
        const mail = { to: email, t: textsFor(language, locale), words, path: `${path}?token=${token}` };
        return mayBeSent ? mail : undefined;
      },
    );
    if (letter !== undefined) await send(dependencies, organization, letter);
  });
}
