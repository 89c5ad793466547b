import type { RequestExamples } from '../../../http/index.ts';
import { decisionExamples } from './decision-examples.ts';
import { directoryExamples } from './directory-examples.ts';
import { programExamples } from './program-examples.ts';

/** Requests to the demonstration organization. A model of another kind comes last: it replaces the one of the others. */
export const requestExamples: RequestExamples = { ...directoryExamples, ...programExamples, ...decisionExamples };
