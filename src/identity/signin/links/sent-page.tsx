import type { Endpoint } from '../../../http/index.ts';
import { renderPage } from '../../pages/index.ts';
import { visitorEndpoint } from '../browser/visitor-endpoint.ts';
import { flowQuery, requireFlow, type SignInPageDependencies } from '../pages-dependencies.ts';

/** `GET {issuer}/signin/sent`: a mail may be on its way. It says the same whoever has the address. */
export function sentEndpoint(pages: SignInPageDependencies): Endpoint {
  return visitorEndpoint(pages.dependencies, {
    method: 'GET',
    path: '/orgs/{orgId}/signin/sent',
    summary: 'A mail is on its way',
    query: flowQuery,
    handler(visit) {
      const flow = requireFlow(pages, visit, visit.query.flow);
      return renderPage(
        visit,
        { title: 'Look into your mail' },
        <>
          <h1>Look into your mail</h1>
          <p>
            A message with a link goes to <strong>{flow.document.loginHint}</strong> if it can be used here. Open the
            link in this browser.
          </p>
          <p class="hint">
            It can take a minute, and may lie among unwanted mail. Where nothing comes, look at the address once more.
          </p>
          <ul class="links">
            <li>
              <a href={`${visit.base}/signin?flow=${flow.id}`}>Back to sign-in</a>
            </li>
          </ul>
        </>,
      );
    },
  });
}
