import { type Endpoint, endpointFor, page } from '../../../http/index.ts';
import { browserStateName } from '../../../identity/sessions/index.ts';
import { organizationAt } from '../protocol/client-call.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { FrameOrigins } from './frame-origins.ts';
import { frameScript, frameScriptHash } from './frame-script.ts';

const endpoint = endpointFor<unknown>();

/** `GET {org_api}/oauth/check_session` (OpenID Connect Session Management 1.0, 3.2). */
export function checkSessionEndpoint(dependencies: ProtocolDependencies): Endpoint {
  const frameOrigins = new FrameOrigins(dependencies);
  return endpoint({
    method: 'GET',
    path: '/orgs/{orgId}/api/v1/oauth/check_session',
    summary: 'A page for a hidden frame, which tells a client whether its user is still signed in',
    description:
      'It answers the posted message `<client_id> <session_state>` with `changed`, `unchanged` or `error`, without a ' +
      'request. Only pages of the origins of registered redirect URIs may hold it in a frame.',
    tags: ['OAuth'],
    access: 'public',
    responses: { 200: { description: 'The page', contentType: 'text/html' } },
    errors: ['not_found'],
    handler(call) {
      const { slug, store } = organizationAt(dependencies, call.params.orgId);
      const ancestors = frameOrigins.ancestors(store, call.header('referer'));
      return page(framePage(browserStateName(slug)), {
        policy: `default-src 'none'; script-src ${frameScriptHash}; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`,
      });
    },
  });
}

/** @param cookie without a character that means something in HTML */
function framePage(cookie: string): string {
  return `<!doctype html>
<html lang="en" data-cookie="${cookie}">
<head><meta charset="utf-8"><title>Session state</title></head>
<body><script>${frameScript}</script></body>
</html>
`;
}
