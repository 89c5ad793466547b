import type { Reply } from '../../http/index.ts';
import { type AccountVisit, accountPage } from '../account/index.ts';

/** For who could decide a request and no longer can: what it was about is no longer theirs to read. */
export function lostPage(visit: AccountVisit): Reply<never> {
  const { t } = visit;
  return accountPage(
    visit,
    {
      room: 'agents',
      title: t('approvals.lostTitle'),
      lead: t('approvals.lostText'),
      back: { path: '/account/approvals', label: t('approvals.allRequests') },
      status: 403,
    },
    <div class="panel alone">
      <p>{t('approvals.lostNothing')}</p>
      <p>{t('approvals.lostHelp')}</p>
    </div>,
  );
}
