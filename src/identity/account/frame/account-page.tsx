import type { ComponentChildren } from 'preact';
import type { Reply } from '../../../http/index.ts';
import { accountCss, ErrorSummary, type FormFault, Notice, type PageOptions, renderPage } from '../../pages/index.ts';
import type { AccountVisit } from './account-endpoint.ts';
import { isDone, toldOf } from './done.ts';
import { type Room, Side } from './side.tsx';

interface AccountPage extends Pick<PageOptions, 'status' | 'scripts' | 'asks' | 'pictures' | 'leadsTo' | 'headers'> {
  readonly room: Room;
  readonly title: string;
  /** Instead of the title, above the rest. */
  readonly heading?: ComponentChildren;
  /** Below the heading: what the page is for. */
  readonly lead?: ComponentChildren;
  /** Where the page was opened from: below `{issuer}`, and what it is called. */
  readonly back?: { readonly path: `/account${string}`; readonly label: string };
  readonly done?: string | undefined;
  readonly faults?: readonly FormFault[] | undefined;
}

/** A page of the account with the way to the others. Faults are answered with 422. */
export function accountPage(visit: AccountVisit, page: AccountPage, body: ComponentChildren): Reply<never> {
  const { room, title, heading, lead, back, done, faults = [], status, pictures = [], ...options } = page;
  return renderPage(
    visit,
    {
      ...options,
      title,
      status: status ?? (faults.length > 0 ? 422 : 200),
      pictures: [...pictures, visit.user.document.picture],
      styles: [accountCss],
      side: <Side visit={visit} room={room} />,
    },
    <>
      {back === undefined ? null : (
        <p class="back">
          <a href={`${visit.base}${back.path}`}>{back.label}</a>
        </p>
      )}
      <div class="page-head">
        {heading ?? <h1>{title}</h1>}
        {lead === undefined ? null : <p class="lead">{lead}</p>}
      </div>
      {isDone(done) ? <Notice>{visit.t(toldOf[done])}</Notice> : null}
      <ErrorSummary faults={faults} />
      {body}
    </>,
  );
}
