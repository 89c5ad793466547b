import type { RequestFacts } from './audited.ts';

/** A copy of what audit entries need, and mail to whoever asked: the request behind a call is used again before a commit is on disk. */
export function factsOf(call: RequestFacts): RequestFacts {
  const userAgent = call.header('user-agent');
  const language = call.header('accept-language');
  const address = call.clientAddress();
  return {
    requestId: call.requestId,
    header: (name) => (name === 'user-agent' ? userAgent : name === 'accept-language' ? language : ''),
    clientAddress: () => address,
  };
}
