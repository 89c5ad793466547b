export { initialSettings, readSettings, type Settings } from './truth/settings.ts';
