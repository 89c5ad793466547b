import { createHash } from 'node:crypto';
import { renderToString } from 'preact-render-to-string';
import { page, type Reply } from '../../../../http/index.ts';

const script = 'document.forms[0].submit()';
const digest = createHash('sha256').update(script).digest('base64');

/**
 * Where the form may lead is not said: browsers hold redirects of the client to it as well, and it leads to a registered
 * URI alone. Nothing of the request can become markup.
 */
const policy = `default-src 'none'; script-src 'sha256-${digest}'; base-uri 'none'; frame-ancestors 'none'`;

/** A page that posts the answer to the client by itself (OAuth 2.0 Form Post Response Mode, 2). */
export function formPost(redirectUri: string, parameters: URLSearchParams): Reply<never> {
  const markup = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="robots" content="noindex" />
        <title>Going back to the application</title>
      </head>
      <body>
        <form method="post" action={redirectUri}>
          {[...parameters].map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <noscript>
            <p>Go back to the application:</p>
            <button type="submit">Continue</button>
          </noscript>
        </form>
        {/* a constant: its digest stands in the policy */}
        <script dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>,
  );
  return page(`<!doctype html>${markup}`, { policy, headers: { 'x-frame-options': 'DENY' } });
}
