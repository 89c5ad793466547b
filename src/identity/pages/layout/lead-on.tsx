import { type Reply, redirect } from '../../../http/index.ts';
import { type PageContext, renderPage } from './render-page.tsx';

/** A redirect by which a browser leaves these pages, at once or by the next redirect. */
export interface Leaving extends Reply<never> {
  readonly leavesTo: string;
}

/** Apps with schemes of their own are opened by redirects alone, and lead nowhere else. */
export function leaving(location: string, destination = location): Reply<never> | Leaving {
  const reply = redirect(303, location);
  return /^https?:/i.test(destination) ? { ...reply, leavesTo: location } : reply;
}

/**
 * What answers a form in place of such a redirect: a page that leads on by itself. Browsers hold every redirect after a
 * form to `form-action` of its page, and where an application leads on to from its redirect URI, nobody here knows.
 */
export function ledOn<T>(context: PageContext, reply: Reply<T>): Reply<T> {
  if (!isLeaving(reply)) return reply;
  const { leavesTo, more = [] } = reply;
  const { t } = context;
  const shown = renderPage(
    context,
    { title: t('frame.oneMoment'), leadsOnTo: leavesTo },
    <>
      <h1>{t('frame.oneMoment')}</h1>
      <p>{t.rich('frame.takenOn', { link: <a href={leavesTo}>{t('frame.takenOnLink')}</a> })}</p>
    </>,
  );
  const kept = more.filter((_, at) => more[at - (at % 2)] !== 'location');
  return { ...shown, more: [...(shown.more ?? []), ...kept] };
}

function isLeaving(reply: Reply): reply is Leaving {
  return 'leavesTo' in reply;
}
