import { renderToString } from 'preact-render-to-string';
import { type ErrorRenderer, type Problem, page, type Reply } from '../../http/index.ts';
import { assetPath } from '../assets/asset.ts';
import { contentPolicy } from '../layout/policy.ts';
import { icon, type PageContext, pagesCss, renderPage } from '../layout/render-page.tsx';
import type { Site } from '../site.ts';
import { plainBrandName } from '../theme/brand.ts';

/** What a reader can do about it. Codes that are not here say what their problem says. */
const advice: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  not_found: {
    title: 'There is nothing here',
    text: 'The address is wrong or no longer in use. Go back to where you came from and try again.',
  },
  rate_limited: { title: 'Too many attempts', text: 'Wait a little, then try again.' },
  forbidden: { title: 'This cannot be done', text: 'Go back, load the page again and send the form once more.' },
  unavailable: { title: 'Not possible right now', text: 'Nothing was changed. Try again in a minute.' },
  mail_failed: { title: 'The mail could not be sent', text: 'Try again in a minute, or ask for help.' },
  internal: { title: 'Something went wrong', text: 'Nothing is lost. Try again; if it goes on, ask for help.' },
  body_too_large: { title: 'Too much was sent', text: 'Go back and shorten what you have typed.' },
};

interface Words {
  readonly title: string;
  readonly texts: readonly string[];
}

function wordsOf({ kind, detail }: Problem): Words {
  const known = advice[kind.code];
  const own = detail === kind.title || kind.status >= 500 ? [] : [detail];
  return { title: known?.title ?? kind.title, texts: own.length > 0 ? own : [known?.text ?? 'Go back and try again.'] };
}

function Explanation({ words: { title, texts }, requestId }: { readonly words: Words; readonly requestId: string }) {
  return (
    <>
      <h1>{title}</h1>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p class="hint">
        Request <code>{requestId}</code>
      </p>
    </>
  );
}

/** A problem as a page of an organization. */
export function problemPage(context: PageContext, problem: Problem, requestId: string): Reply<never> {
  const words = wordsOf(problem);
  const { status } = problem.kind;
  const headers = problem.options.headers ?? {};
  return renderPage(context, { title: words.title, status, headers }, <Explanation {...{ words, requestId }} />);
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
