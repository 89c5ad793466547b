/** The whole style of the reference. Inline, and allowed by its hash alone. */
export const docsStyle = `
:root{color-scheme:light dark;--ground:#fbfaf7;--card:#fff;--ink:#1d2129;--soft:#5d6675;--line:#e4e1d8;--accent:#0b6e5f;
--code:#f3f1ea;--get:#0b6e5f;--post:#8a4b08;--put:#5b3ea8;--patch:#5b3ea8;--delete:#a3222f;--sample:#14201d;--sample-ink:#dfeae6}
@media (prefers-color-scheme:dark){:root{--ground:#12151a;--card:#191d24;--ink:#e5e8ee;--soft:#97a1b2;--line:#2a303a;
--accent:#4fc7b2;--code:#20252e;--get:#4fc7b2;--post:#e6a65c;--put:#b09bf0;--patch:#b09bf0;--delete:#f08a94;--sample:#0c0f13;--sample-ink:#d5dde6}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1.5rem}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 ui-sans-serif,system-ui,"Segoe UI",Roboto,sans-serif}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:.86em}
p{margin:.4rem 0}
a{color:inherit;text-decoration:none}
a:hover{color:var(--accent)}
a:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
.layout{display:grid;grid-template-columns:18rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow-y:auto;border-right:1px solid var(--line);padding:1.75rem 1.25rem;font-size:.9rem}
nav .brand{font-weight:650;font-size:1.15rem;letter-spacing:-.01em}
nav .version{color:var(--soft);font-size:.8rem;margin-left:.35rem}
nav h2{font-size:.72rem;letter-spacing:.09em;text-transform:uppercase;color:var(--soft);margin:1.5rem 0 .35rem}
nav ul{list-style:none;margin:0;padding:0}
nav li a{display:flex;gap:.5rem;align-items:baseline;padding:.2rem .4rem;margin:0 -.4rem;border-radius:5px}
nav li a:hover{background:var(--code)}
nav .method{font-size:.62rem;min-width:2.9rem}
main{padding:2.5rem 3rem 6rem;max-width:78rem}
h1{font-size:2rem;letter-spacing:-.02em;margin:0 0 .5rem}
main>section>h2{font-size:1.4rem;letter-spacing:-.01em;margin:3.5rem 0 .25rem;text-transform:none}
.lead{color:var(--soft);max-width:46rem}
.operation{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.4rem 1.6rem;margin:1.25rem 0}
.operation:target{border-color:var(--accent);box-shadow:0 0 0 3px color-mix(in srgb,var(--accent) 18%,transparent)}
h3{margin:0;font-size:1.1rem}
h4{margin:1.4rem 0 .3rem;font-size:.86rem}
.line{margin:.45rem 0}
.path{font-size:.92rem;overflow-wrap:anywhere}
.path i{color:var(--accent);font-style:normal}
.method{font:600 .72rem ui-monospace,Menlo,Consolas,monospace;letter-spacing:.03em}
.method.get{color:var(--get)}.method.post{color:var(--post)}.method.put{color:var(--put)}
.method.patch{color:var(--patch)}.method.delete{color:var(--delete)}
.access,.note,.type{color:var(--soft);font-size:.84rem}
.type{font-weight:400}
p code,dd code,td code,dt code{background:var(--code);border-radius:4px;padding:.1em .35em}
.required{color:var(--delete);font-size:.74rem}
.old{color:var(--post);font-size:.8rem;font-weight:400}
.columns{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,26rem);gap:2rem}
.members{margin:.2rem 0 0;border-top:1px solid var(--line)}
.members dt{padding-top:.5rem}
.members dd{margin:0;padding:0 0 .5rem;border-bottom:1px solid var(--line);font-size:.9rem}
.members .members{border-top:0}
details{margin:.3rem 0 .2rem;padding-left:.9rem;border-left:2px solid var(--line)}
summary{cursor:pointer;color:var(--soft);font-size:.8rem}
.choices{padding-left:1.1rem;margin:.3rem 0}
.samples pre{background:var(--sample);color:var(--sample-ink);border-radius:9px;padding:.9rem 1rem;margin:.6rem 0;line-height:1.5;white-space:pre-wrap;overflow-wrap:anywhere}
.samples{position:sticky;top:1.25rem;align-self:start}
.samples .status{display:block;margin-bottom:.4rem}
.status{font:600 .74rem ui-monospace,Menlo,Consolas,monospace}
.status.good{color:var(--get)}.status.bad{color:var(--delete)}
.samples .status.good{color:#6fd6c2}
table{border-collapse:collapse;width:100%;font-size:.86rem}
td{padding:.3rem .8rem .3rem 0;border-top:1px solid var(--line);vertical-align:top}
@media (max-width:72rem){.columns{grid-template-columns:minmax(0,1fr);gap:0}.samples{position:static}}
@media (max-width:52rem){.layout{grid-template-columns:minmax(0,1fr)}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}main{padding:1.5rem 1.1rem 4rem}.operation{padding:1.1rem}}
@media print{nav{display:none}.layout{display:block}.operation{break-inside:avoid}}
`;
