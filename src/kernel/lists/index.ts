export {
  type ListQuery,
  listParameters,
  parametersOf,
  readList,
  searchParameters,
  searchText,
} from './list-query.ts';
export {
  adminBounds,
  boundsOf,
  createdAnswer,
  createdSchema,
  type Family,
  genericBounds,
  type ListAnswer,
  type ListBounds,
  listAnswer,
  listSchema,
  mapListed,
  offsetOf,
  type PageQuery,
  pagedAnswer,
  pageParameters,
  readPage,
  singleAnswer,
  singleSchema,
} from './page.ts';
export { entriesAnswer, type ShownBy } from './records/at-hand.ts';
export type { FilterValue, FilterValues, ListDefinition, ListPosition, RecordQuery } from './records/definition.ts';
export { type EntryOrder, entryPage } from './records/entry-page.ts';
export { filterFields, sortFields } from './records/fields.ts';
export { RecordLists } from './records/record-lists.ts';
