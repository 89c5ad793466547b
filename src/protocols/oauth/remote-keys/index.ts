export { FetchedDocuments } from './fetched-documents.ts';
export { assertionAlgorithms, type KeySource, KeysUnavailableError, RemoteKeys } from './remote-keys.ts';
