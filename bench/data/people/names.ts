/** Of invented people: enough that a family name is a search that finds many, and few enough that it finds some. */
export const GIVEN_NAMES = [
  'Ada Alan Barbara Carl Chien Donald Dorothy Edsger Emmy Ernst Evelyn Frances George Grace Hedy Ida',
  'Jean John Joan Karen Katherine Kurt Leslie Lynn Margaret Mary Niklaus Olga Radia Rosalind Sofia Tim',
].flatMap((line) => line.split(' '));

export const FAMILY_NAMES = [
  'Allen Berezin Boole Borg Chomsky Church Codd Conway Dahl Dijkstra Easley Elion Estrin Feinler Gauss Goldberg',
  'Granville Hamilton Hamming Hoare Holberton Hopper Johnson Kay Keller Knuth Kovalevskaya Lamarr Lamport Liskov',
  'Lovelace McCarthy Meitner Naur Noether Perlman Postel Ritchie Sammet Shannon Sophie Stallings Tarjan Turing',
  'Vaughan Wilkes Wirth Wu',
].flatMap((line) => line.split(' '));

export const DEPARTMENTS = ['engineering', 'finance', 'legal', 'operations', 'sales', 'support'];
