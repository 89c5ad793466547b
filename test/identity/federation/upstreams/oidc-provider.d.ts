/** As much of the library, which brings no types along, as the tests use. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Found {
    readonly accountId: string;
    claims(): Readonly<Record<string, unknown>>;
  }

  export class Provider {
    constructor(
      issuer: string,
      configuration: Readonly<Record<string, unknown>> & { findAccount(context: unknown, sub: string): Found },
    );
    callback(): RequestListener;
  }
}
