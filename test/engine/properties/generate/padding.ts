import type { Tuple } from '../../../../engine/tuple.ts';
import type { Codons } from './codons.ts';
import { distinctTuples, printSubject, slotsOf } from './generate-tuples.ts';
import type { Scenario } from './scenario.ts';

/** Past the lengths at which lists of neighbours are kept in one piece, by relation, or not at all. */
const LENGTHS = [300, 4_500] as const;

/**
 * The scenario with some lists made very long: one object with many subjects in a relation, and one subject with many
 * objects. What is added is named by nothing else.
 */
export function padded(scenario: Scenario, codons: Codons): Scenario {
  const slots = slotsOf(scenario.model).filter(({ direct }) => direct.condition === undefined && !direct.wildcard);
  if (slots.length === 0) return scenario;
  const added: Tuple[] = [];
  for (let n = 1 + codons.below(2); n > 0; n--) {
    const { type, relation, direct } = codons.pick(slots);
    // Each userset of a padded list brings the relations of one more object.
    const length = direct.type === 'user' ? codons.pick(LENGTHS) : LENGTHS[0];
    const id = codons.pick(['1', '2']);
    const isWide = codons.below(2) === 0;
    for (let i = 0; i < length; i++) {
      const [objectId, subjectId] = isWide ? [id, `pad${i}`] : [`pad${i}`, id];
      added.push({ object: `${type}:${objectId}`, relation, subject: printSubject(direct, subjectId) });
    }
  }
  return { ...scenario, tuples: distinctTuples([...scenario.tuples, ...added]) };
}
