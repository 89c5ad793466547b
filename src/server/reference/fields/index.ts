import type { FieldWords } from '../../../http/index.ts';
import { decisionFields } from './decision-fields.ts';
import { generalFields } from './general-fields.ts';
import { metadataFields } from './metadata-fields.ts';
import { personFields } from './person-fields.ts';
import { protocolFields } from './protocol-fields.ts';

/** What is said about fields whose own schemas say nothing. */
export const fieldWords: FieldWords = {
  ...generalFields,
  ...decisionFields,
  ...personFields,
  ...protocolFields,
  ...metadataFields,
};
