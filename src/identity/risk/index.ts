import { highRisk, impossibleTravel } from './risk-events.ts';

export { assessSignIn } from './assess-sign-in.ts';

/** It has no endpoints: sign-in asks it. */
export const riskModule = { name: 'risk', events: [impossibleTravel, highRisk] };
