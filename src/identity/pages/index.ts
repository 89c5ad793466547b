export { type Asset, asset, assetEndpoint, assetFrom } from './assets/asset.ts';
export { brandingEndpoint } from './endpoint/branding-endpoint.ts';
export { frontEndpoints } from './endpoint/front-endpoints.ts';
export { type PageDependencies, type PageSpec, type PageVisit, pageEndpoint } from './endpoint/page-endpoint.ts';
export { problemsOfPages } from './endpoint/problem-page.tsx';
export { refusalText } from './endpoint/problem-words.ts';
export { leaving, ledOn } from './layout/lead-on.tsx';
export { sourceOf } from './layout/policy.ts';
export {
  accountCss,
  icon,
  type PageContext,
  type PageOptions,
  pagesCss,
  pagesScript,
  renderPage,
} from './layout/render-page.tsx';
export { Avatar, monogramOf, SignedInAs } from './parts/avatar.tsx';
export { Choice, Choices, Lines, Select } from './parts/choices.tsx';
export { About, Name, Quoted, SlugAndText } from './parts/foreign-text.tsx';
export { Button, ButtonLink, ErrorSummary, Field, Form, type FormFault, Notice } from './parts/form.tsx';
export { Icon, type IconName } from './parts/icons.tsx';
export { Badge, Confirm, Empty, OpeningRow, Panel, Row } from './parts/panel.tsx';
export { PasswordField } from './parts/password-field.tsx';
export { ticked } from './parts/ticked.ts';
export { issuerPath, type Site, siteOf } from './site.ts';
