import { challenge, demandOf, listFactors } from '../../mfa/index.ts';
import type { Step } from './step.ts';

/** What the user may put off while the organization's period of grace lasts. */
export const skippedFactor = 'factor';

/** Asks whoever has a second factor for it, and whoever must have one to register it. */
export const factorStep: Step = {
  name: 'factor',
  due({ store, user, flow, proven, now }) {
    const demand = demandOf(store, user, now, proven.mfa);
    if (demand === 'challenge') {
      const types = listFactors(store, user.id).map(({ type }) => type);
      return { path: '/signin/second-factor', ...challenge(user, types) };
    }
    const isDemanded = flow.document.mfa === true && !proven.mfa;
    const isOffered = demand === 'offer' && !proven.skipped.includes(skippedFactor);
    return isDemanded || isOffered || demand === 'enrol' ? { path: '/signin/second-factor/enrol' } : undefined;
  },
};
