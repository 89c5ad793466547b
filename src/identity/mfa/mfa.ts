import { OwnFactors } from './changes/own-factors.ts';
import { Tries } from './changes/tries.ts';
import { Codes } from './codes/codes.ts';
import type { MfaParts } from './parts.ts';
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
  readonly parts: MfaParts;

  constructor(parts: MfaParts) {
    const tries = new Tries(parts);
    this.parts = parts;
    this.own = new OwnFactors(parts);
    this.totp = new TotpFactors(parts, tries);
    this.codes = new Codes(parts, tries);
    this.recovery = new Recovery(parts, tries);
    this.registrations = new Registrations(parts);
    this.assertions = new Assertions(parts, tries);
  }
}
