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
