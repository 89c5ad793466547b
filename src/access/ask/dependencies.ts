import type { OutboundGuard, Sealer } from '../../platform/index.ts';
import type { AuthzDependencies } from '../decisions/index.ts';
import type { LanguageModels } from './endpoint/language-models.ts';

export interface AskDependencies extends AuthzDependencies {
  readonly sealer: Sealer;
  /** Rules for the URLs of tenants. */
  readonly outbound: OutboundGuard;
  readonly languageModels: LanguageModels;
}
