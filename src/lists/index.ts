export {
  adminBounds,
  type Family,
  genericBounds,
  listAnswer,
  listSchema,
  mapListed,
  type PageQuery,
  pageParameters,
  readPage,
  singleAnswer,
  singleSchema,
} from './page.ts';
export type { ListDefinition, RecordPage, RecordQuery } from './records/definition.ts';
export { RecordLists } from './records/record-lists.ts';
