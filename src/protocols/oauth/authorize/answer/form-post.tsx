import { createHash } from 'node:crypto';
import { renderToString } from 'preact-render-to-string';
import { page, type Reply } from '../../../../http/index.ts';
import type { Texts } from '../../../../texts/index.ts';

const script = 'document.forms[0].submit()';
const digest = createHash('sha256').update(script).digest('base64');

/**
 * Where the form may lead is not said: browsers hold redirects of the client to it as well, and it leads to a registered
 * URI alone. Nothing of the request can become markup.
 */
const policy = `default-src 'none'; script-src 'sha256-${digest}'; base-uri 'none'; frame-ancestors 'none'`;

/** A page that posts the answer to the client by itself (OAuth 2.0 Form Post Response Mode, 2). */
export function formPost(t: Texts, redirectUri: string, parameters: URLSearchParams): Reply<never> {
  const markup = renderToString(
    <html lang={t.tag}>
      <head>
        <meta charset="utf-8" />
        <meta name="robots" content="noindex" />
        <title>{t('frame.oneMoment')}</title>
      </head>
      <body>
        <form method="post" action={redirectUri}>
          {[...parameters].map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <noscript>
            <p>{t('frame.backToApplication')}</p>
            <button type="submit">{t('signIn.continue')}</button>
          </noscript>
        </form>
        {/* a constant: its digest stands in the policy */}
        <script dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>,
  );
  return page(`<!doctype html>${markup}`, { policy, headers: { 'x-frame-options': 'DENY' } });
}
