/**
 * How the page looks. Colours are chosen for contrast on both backgrounds; nothing is said by colour alone.
 *
 * @module
 */
import { html, type Markup } from "./html-markup.ts";
import { COLOURS } from "./html-same-calls.ts";

/** The page's only style sheet. */
export const STYLE: Markup = html`<style>
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f6f7f9; --line: #dfe3e8; --text: #1c2530; --dim: #5c6773;
  --good: #176b3a; --good-bg: #e2f4e8; --bad: #b3261e; --bad-bg: #fdeae8; --warn: #7a5200; --warn-bg: #fff3d6;
  --bar: #8a97a6; --agent: #c9d1da; --link: #0b57d0;
  --c0: #2f6fde; --c1: #c2410c; --c2: #0f766e; --c3: #9333ea; --c4: #be185d; --c5: #4d7c0f; --c6: #0369a1; --c7: #a16207;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161b; --panel: #1a2027; --line: #323b46; --text: #e4e9ef; --dim: #9aa7b4;
    --good: #7fdba2; --good-bg: #12331f; --bad: #ff9d94; --bad-bg: #431a17; --warn: #f5c869; --warn-bg: #3a2c0b;
    --bar: #6b7886; --agent: #3a4552; --link: #8ab4f8;
    --c0: #7fb0ff; --c1: #ff9a5c; --c2: #4fd1c0; --c3: #cf9bff; --c4: #ff86b9; --c5: #a9d65f; --c6: #62c4f5; --c7: #e8c04f;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 88rem; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.15rem; font-weight: 600; margin: 0 0 .75rem; color: var(--dim); }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0 0 .35rem; }
p { margin: .35rem 0; }
a { color: var(--link); }
code { font: .86em ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.dim { color: var(--dim); }
.verdict { display: flex; flex-wrap: wrap; align-items: baseline; gap: .4rem 1rem; padding: .9rem 1.1rem; border-radius: .6rem; border-left: .4rem solid; }
.verdict + .verdict { margin-top: .5rem; }
.verdict strong { font-size: 1.5rem; }
.verdict.pass { background: var(--good-bg); border-color: var(--good); } .verdict.pass strong { color: var(--good); }
.verdict.fail { background: var(--bad-bg); border-color: var(--bad); } .verdict.fail strong { color: var(--bad); }
.verdict.nothing-to-check { background: var(--warn-bg); border-color: var(--warn); } .verdict.nothing-to-check strong { color: var(--warn); }
.verdict p { flex-basis: 100%; margin: 0; }
.problems { list-style: none; padding: 0; }
.chip { display: inline-block; padding: 0 .5em; border: 1px solid var(--line); border-radius: 1em; font-size: .82rem; line-height: 1.55; white-space: nowrap; background: var(--page); text-decoration: none; color: inherit; }
.chip.strong { font-weight: 600; border-color: currentColor; }
.chip.good { color: var(--good); background: var(--good-bg); border-color: transparent; }
.chip.bad, .chip.effect-irreversible { color: var(--bad); background: var(--bad-bg); border-color: transparent; }
.chip.warn, .chip.effect-write { color: var(--warn); background: var(--warn-bg); border-color: transparent; }
.chip.same { color: var(--c); border-color: var(--c); white-space: normal; }
${Array.from({ length: COLOURS }, (_, index) => html`.c${index} { --c: var(--c${index}); } `)}
.run { margin: 0 0 1.5rem; padding: 1rem 1.1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--panel); }
.facts { display: flex; flex-wrap: wrap; gap: .35rem; margin-bottom: .75rem; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
.waterfall th, .waterfall td { padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: middle; font-weight: normal; border-top: 1px solid var(--line); }
.waterfall thead th { color: var(--dim); font-size: .8rem; border-top: 0; }
.waterfall th[scope=row] { width: 27%; padding-left: .6rem; min-width: 12rem; overflow-wrap: anywhere; }
.waterfall tr:target { background: var(--warn-bg); outline: 2px solid var(--warn); outline-offset: -2px; }
.waterfall tr.marked { --mark: var(--warn); --mark-bg: var(--warn-bg); background: color-mix(in srgb, var(--mark-bg) 55%, transparent); }
.waterfall tr.marked.bad { --mark: var(--bad); --mark-bg: var(--bad-bg); }
.waterfall tr.marked > th { box-shadow: inset .25rem 0 var(--mark); }
.waterfall tr.marked a.chip.bad, .waterfall tr.marked a.chip.warn { border-color: currentColor; font-weight: 600; }
.waterfall .time { width: 36%; min-width: 14rem; padding-right: 1.2rem; }
.waterfall .agent b, .waterfall .other b { font-weight: 500; }
.name { display: block; }
.step, .role { display: inline-block; min-width: 1.6em; margin-right: .45em; padding: 0 .35em; border-radius: .3em; background: var(--agent); font-size: .75rem; text-align: center; }
.step { font-variant-numeric: tabular-nums; }
.track { position: relative; display: block; height: 1.15rem; background: repeating-linear-gradient(to right, var(--line) 0 1px, transparent 1px 25%); }
.tick { position: absolute; padding-left: .3em; white-space: nowrap; }
.bar { position: absolute; top: .15rem; height: .85rem; min-width: 3px; border-radius: 2px; background: var(--bar); }
.agent .bar, .other .bar { background: var(--agent); }
.bar.same { background: var(--c); }
.bar.failed { background-image: repeating-linear-gradient(45deg, transparent 0 4px, var(--panel) 4px 6px); outline: 1.5px solid var(--bad); }
.bar > span { position: absolute; top: -.2rem; font-size: .75rem; color: var(--text); white-space: nowrap; font-variant-numeric: tabular-nums; }
.bar.behind > span { left: calc(100% + .35rem); }
.bar.inside > span { right: .3rem; padding: 0 .25rem; }
.tool .bar.inside > span { right: calc(100% + .35rem); padding: 0; }
.labels { line-height: 1.9; }
.fp { color: var(--dim); white-space: nowrap; }
.check { border: 1px solid var(--line); border-radius: .5rem; margin: .4rem 0; background: var(--panel); }
.check:target { outline: 2px solid var(--warn); }
.check summary { display: flex; flex-wrap: wrap; gap: .2rem .8rem; align-items: baseline; padding: .5rem .9rem; cursor: pointer; }
.check .outcome { min-width: 8.2em; font-weight: 600; }
.check .title { flex: 1 1 20rem; }
.check summary code, .check .counts { color: var(--dim); font-size: .85rem; }
.check.pass .outcome { color: var(--good); } .check.fail .outcome { color: var(--bad); } .check.unknown .outcome { color: var(--warn); } .check.not-applicable .outcome { color: var(--dim); }
.check.fail { border-color: var(--bad); }
.check .body { padding: 0 .9rem .7rem; border-top: 1px solid var(--line); }
.check ul { list-style: none; margin: .4rem 0; padding: 0; }
.check li { padding: .45rem .8rem; margin: .35rem 0; border-left: .25rem solid var(--warn); background: var(--page); }
.check li.fail { border-color: var(--bad); }
.check li p { margin: 0 0 .2rem; }
.evidence { display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; font-size: .9rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .05rem .9rem; margin: 0; font-size: .9rem; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 55rem) {
  body { padding: 1rem .7rem 3rem; } .run { padding: .8rem .7rem; }
  .waterfall thead { display: none; } .waterfall, .waterfall tbody { display: block; }
  .waterfall tr { display: block; padding: .4rem 0; border-top: 1px solid var(--line); }
  .waterfall th[scope=row], .waterfall td, .waterfall .time { display: block; width: auto; min-width: 0; padding: .1rem 0; border: 0; }
}
@media print { body { max-width: none; } .run, .check { break-inside: avoid; } }
</style>`;
