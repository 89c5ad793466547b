import type { Catalogue } from '../catalogue.ts';

export const recovery: Catalogue['recovery'] = {
  keep: 'Mit jedem Code können Sie sich einmal anmelden, wenn Sie Ihren zweiten Schritt verlieren. Bewahren Sie die Codes sicher auf: Sie werden nicht noch einmal angezeigt.',
  heading: 'Wiederherstellungscodes für {account} bei {organization}',
  file: 'wiederherstellungscodes.txt',
  copy: 'Kopieren',
  download: 'Herunterladen',
  print: 'Drucken',
  copied: 'Kopiert.',
  copyFailed: 'Ihr Browser hat das Kopieren nicht erlaubt. Markieren Sie die Codes und kopieren Sie sie selbst.',
};
