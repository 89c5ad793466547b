import { OwnFactors } from './changes/own-factors.ts';
import { Tries } from './changes/tries.ts';
import { Codes } from './codes/codes.ts';
import type { MfaDependencies } from './dependencies.ts';
import { Recovery } from './recovery/recovery.ts';
import { TotpFactors } from './totp/totp-factors.ts';
import { Assertions } from './webauthn/assertions.ts';
import { Registrations } from './webauthn/registrations.ts';

/** Second factors and passkeys, of one thread. */
export class Mfa {
  readonly own: OwnFactors;
  readonly totp: TotpFactors;
  readonly codes: Codes;
  readonly recovery: Recovery;
  readonly registrations: Registrations;
  readonly assertions: Assertions;
  readonly dependencies: MfaDependencies;

  constructor(dependencies: MfaDependencies) {
    const tries = new Tries(dependencies);
    this.dependencies = dependencies;
    this.own = new OwnFactors(dependencies);
    this.totp = new TotpFactors(dependencies, tries);
    this.codes = new Codes(dependencies, tries);
    this.recovery = new Recovery(dependencies, tries);
    this.registrations = new Registrations(dependencies);
    this.assertions = new Assertions(dependencies, tries);
  }
}
