import { renderToString } from 'preact-render-to-string';
import { type ErrorRenderer, type Problem, page, type Reply } from '../../../http/index.ts';
import { assetPath } from '../assets/asset.ts';
import { contentPolicy } from '../layout/policy.ts';
import { icon, type PageContext, pagesCss, renderPage } from '../layout/render-page.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { issuerPath, type Site, siteOf } from '../site.ts';
import { plainBrandName } from '../theme/brand.ts';

interface Advice {
  readonly title?: string;
  readonly text: string;
}

const usual = 'Go back to where you came from and start again. If it happens again, tell those who run it this number.';

/** What a reader can do about it. */
const advice: Readonly<Record<string, Advice>> = {
  not_found: { title: 'There is nothing here', text: usual },
  invalid_request: { title: 'This request cannot be understood', text: usual },
  method_not_allowed: {
    title: 'There is nothing to see here',
    text: 'This address takes what a form sends, and shows nothing by itself. Go back to where you came from.',
  },
  malformed_url: { title: 'This address cannot be understood', text: usual },
  forbidden: { title: 'This cannot be done', text: usual },
  rate_limited: { text: 'Wait a little, then try again.' },
  conflict: { title: 'Something else came between', text: 'Go back, load the page anew and try again.' },
  precondition_failed: { title: 'Something else came between', text: 'Go back, load the page anew and try again.' },
  unavailable: { title: 'Not possible right now', text: 'Nothing was changed. Try again in a minute.' },
  mail_failed: { title: 'The mail could not be sent', text: 'Try again in a minute, or ask for help.' },
  internal: {
    title: 'Something went wrong',
    text: 'Try again. If it happens again, tell those who run it this number.',
  },
  body_too_large: { title: 'Too much was sent', text: 'Go back and shorten what you have typed.' },
};

interface Words {
  readonly title: string;
  readonly texts: readonly string[];
}

function wordsOf({ kind, detail }: Problem): Words {
  const { title = kind.title, text } = advice[kind.code] ?? { text: usual };
  const isSaid = detail === kind.title || kind.status >= 500;
  return { title, texts: isSaid ? [text] : [detail, text] };
}

function Explanation({ words: { title, texts }, requestId }: { readonly words: Words; readonly requestId: string }) {
  return (
    <>
      <h1>{title}</h1>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p class="hint">
        Number of the request: <code>{requestId}</code>
      </p>
    </>
  );
}

/** A problem as a page of an organization: what is wrong, what to do, and a way on. */
export function problemPage(context: PageContext, problem: Problem, requestId: string): Reply<never> {
  const words = wordsOf(problem);
  const { status } = problem.kind;
  const headers = problem.options.headers ?? {};
  return renderPage(
    context,
    { title: words.title, status, headers },
    <>
      <Explanation words={words} requestId={requestId} />
      <ButtonLink href={`${issuerPath(context.site, context.organization.slug)}/signin`}>
        Sign in, or go to your account
      </ButtonLink>
    </>,
  );
}

/** The same where no organization is known, or none of its data can be read. */
export function plainProblemPage(site: Site): ErrorRenderer {
  return (problem, requestId) => {
    const words = wordsOf(problem);
    const markup = renderToString(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{`${words.title} · ${plainBrandName}`}</title>
          <link rel="stylesheet" href={assetPath(site.path, pagesCss)} />
          <link rel="icon" href={assetPath(site.path, icon)} />
        </head>
        <body>
          <div class="frame">
            <main id="main">
              <Explanation words={words} requestId={requestId} />
            </main>
          </div>
        </body>
      </html>,
    );
    return page(`<!doctype html>${markup}`, {
      policy: contentPolicy({ pictures: [], leadsTo: [], hasScripts: false }),
      status: problem.kind.status,
      headers: { 'x-frame-options': 'DENY', ...problem.options.headers },
    });
  };
}

/** Below an organization, whatever is neither its API nor described as well known is for people. */
const pageAddress = /^\/orgs\/[^/]+\/(?!api\/|\.well-known\/)/;

/** How people are told that there is nothing at the address of a page; `undefined` for addresses of programs. */
export function problemsOfPages(baseUrl: string): (path: string) => ErrorRenderer | undefined {
  const renderer = plainProblemPage(siteOf(baseUrl));
  return (path) => (pageAddress.test(path) ? renderer : undefined);
}
