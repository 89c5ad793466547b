import type { UpstreamDependencies } from '../upstreams/code-flow.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { SamlServiceProvider } from './service-provider.ts';

/** SAML's libraries are many files, which most threads never need: they are loaded by the first who does. */
export function samlUpstream(dependencies: UpstreamDependencies): Upstream {
  let loading: Promise<SamlServiceProvider> | undefined;
  const loaded = (): Promise<SamlServiceProvider> => {
    loading ??= import('./service-provider.ts').then(({ samlServiceProvider }) => samlServiceProvider(dependencies));
    return loading;
  };
  return {
    method: 'sso',
    answersBy: 'form',
    metadata: async (provider) => (await loaded()).metadata(provider),
    request: async (provider, attempt, wish) => (await loaded()).request(provider, attempt, wish),
    answer: async (provider, attempt, answer) => (await loaded()).answer(provider, attempt, answer),
  };
}
