import { renderToString } from 'preact-render-to-string';
import { type ErrorRenderer, type Problem, page, type Reply } from '../../../http/index.ts';
import { type Texts, textsFor } from '../../../texts/index.ts';
import { assetPath } from '../assets/asset.ts';
import { contentPolicy } from '../layout/policy.ts';
import { icon, type PageContext, pagesCss, renderPage } from '../layout/render-page.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { issuerPath, type Site, siteOf } from '../site.ts';
import { plainBrandName } from '../theme/brand.ts';
import { wordsOf } from './problem-words.ts';

interface ExplanationProps {
  readonly words: ReturnType<typeof wordsOf>;
  readonly requestId: string;
  readonly t: Texts;
}

function Explanation({ words: { title, texts }, requestId, t }: ExplanationProps) {
  return (
    <>
      <h1>{title}</h1>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p class="hint">
        {t('frame.requestNumber')} <code>{requestId}</code>
      </p>
    </>
  );
}

/** A problem as a page of an organization: what is wrong, what to do, and a way on. */
export function problemPage(context: PageContext, problem: Problem, requestId: string): Reply<never> {
  const { t } = context;
  const words = wordsOf(t, problem);
  const { status } = problem.kind;
  const headers = problem.options.headers ?? {};
  return renderPage(
    context,
    { title: words.title, status, headers },
    <>
      <Explanation words={words} requestId={requestId} t={t} />
      <ButtonLink href={`${issuerPath(context.site, context.organization.slug)}/signin`} kind="main">
        {t('frame.toSignIn')}
      </ButtonLink>
    </>,
  );
}

/** The same where no organization is known, or none of its data can be read. */
export function plainProblemPage(site: Site): ErrorRenderer {
  return (problem, requestId, header) => {
    const t = textsFor(header('accept-language'));
    const words = wordsOf(t, problem);
    const markup = renderToString(
      <html lang={t.tag}>
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
              <Explanation words={words} requestId={requestId} t={t} />
            </main>
          </div>
        </body>
      </html>,
    );
    return page(`<!doctype html>${markup}`, {
      policy: contentPolicy({ pictures: [], leadsTo: [], hasScripts: false, asks: false }),
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
