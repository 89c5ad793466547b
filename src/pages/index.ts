export { type Asset, asset, assetEndpoint, assetFrom } from './assets/asset.ts';
export { brandingEndpoint } from './endpoint/branding-endpoint.ts';
export { frontEndpoints } from './endpoint/front-endpoints.ts';
export { type PageParts, type PageSpec, type PageVisit, pageEndpoint } from './endpoint/page-endpoint.ts';
export { leaving, ledOn } from './layout/lead-on.tsx';
export { sourceOf } from './layout/policy.ts';
export { icon, type PageContext, type PageOptions, pagesCss, renderPage } from './layout/render-page.tsx';
export { Button, ButtonLink, ErrorSummary, Field, Form, type FormFault, Notice } from './parts/form.tsx';
export { issuerPath, type Site, siteOf } from './site.ts';
