export {
  type ListQuery,
  listParameters,
  parametersOf,
  readList,
  searchParameters,
  searchText,
} from './list-query.ts';
export { fromNearerEnd, type Slice } from './nearer-end.ts';
export {
  adminBounds,
  boundsOf,
  type Counted,
  countsOf,
  createdAnswer,
  createdSchema,
  type Family,
  genericBounds,
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
  totalIsExact,
} from './page.ts';
export { entriesAnswer, type ShownBy } from './records/at-hand.ts';
export {
  type FilterValue,
  type FilterValues,
  filterFields,
  type ListDefinition,
  type ListedTest,
  type ListPosition,
  type NamedTest,
  type RecordQuery,
  type SortKey,
  sortFields,
} from './records/definition.ts';
export { RecordLists } from './records/record-lists.ts';
export { type PagePart, sortedPage, sortKeyIn } from './records/sorted-page.ts';
