const things = ['invoice', 'contract', 'parcel', 'vehicle', 'room', 'course', 'ticket', 'machine', 'garden', 'camera'];
const places = ['harbour', 'airport', 'library', 'kitchen', 'workshop', 'theatre', 'museum', 'stadium', 'bakery', 'clinic'];
const verbs = ['read', 'create', 'update', 'delete', 'approve', 'export', 'archive', 'assign', 'publish', 'cancel'];
const forms = ['Can I', 'May I', 'Am I allowed to', 'Do I have the right to', 'Is it possible for me to', 'Could I'];

export interface NamedPermission {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
}

/** So many permissions that have their words in common: ten verbs, ten things, at ten places. */
export function namedPermissions(count: number): NamedPermission[] {
  return Array.from({ length: count }, (_, at) => {
    const [verb, thing, place] = wordsOf(at);
    return {
      slug: `${place}-${thing}:${verb}`,
      name: `${verb} ${thing}s of the ${place}`,
      description: `Lets somebody ${verb} every ${thing} that the ${place} has on record`,
    };
  });
}

/** A question about one of them, each in another form than the one before it. */
export function questionAbout(at: number, round: number): string {
  const [verb, thing, place] = wordsOf(at);
  return `${forms[round % forms.length]} ${verb} the ${thing}s of the ${place}?`;
}

function wordsOf(at: number): [verb: string, thing: string, place: string] {
  const pick = (from: readonly string[], digit: number): string => from[digit % from.length] ?? '';
  return [pick(verbs, at), pick(things, Math.floor(at / 10)), pick(places, Math.floor(at / 100))];
}
