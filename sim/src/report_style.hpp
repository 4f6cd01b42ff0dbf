// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Style sheet of the report: light and dark, no fonts or images from elsewhere.
#pragma once

namespace ppu::sim {

inline constexpr const char* kStyle = R"css(
:root { --ink:#1c2430; --soft:#5b6675; --paper:#f5f6f8;
        --card:#fff; --edge:#dfe3e8; --main:#1f6feb; }
@media (prefers-color-scheme: dark) {
  :root { --ink:#e6eaf0; --soft:#9aa6b5; --paper:#12161c;
          --card:#1b212a; --edge:#303946; --main:#58a6ff; }
}
* { box-sizing:border-box }
body { margin:0; background:var(--paper); color:var(--ink);
       font:15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
main { max-width:1160px; margin:0 auto; padding:28px 20px 60px }
h1 { font-size:26px; margin:0 0 2px } h2 { font-size:17px; margin:0 0 10px }
p { margin:0 0 10px } .sub, .note { color:var(--soft) } .note { font-size:13px; margin:8px 0 0 }
section { background:var(--card); border:1px solid var(--edge); border-radius:10px;
          padding:18px 20px; margin-top:18px; overflow-x:auto }
.tiles { display:grid; grid-template-columns:repeat(auto-fit,minmax(150px,1fr)); gap:12px;
         margin-top:18px }
.tile { background:var(--card); border:1px solid var(--edge); border-radius:10px;
        padding:12px 16px }
.tile b { display:block; font-size:23px; font-variant-numeric:tabular-nums }
.tile span { color:var(--soft); font-size:13px }
table { border-collapse:collapse; width:100%; font-variant-numeric:tabular-nums; font-size:14px }
th { text-align:left; color:var(--soft); font-weight:600; white-space:nowrap }
th, td { padding:5px 12px 5px 0; border-bottom:1px solid var(--edge) }
tr:last-child td { border-bottom:0 }
td:not(:first-child), th:not(:first-child) { text-align:right }
code, pre { font:13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace }
pre { margin:0; white-space:pre-wrap }
svg { width:100%; height:auto; display:block } .wide { overflow-x:auto }
.wide svg { min-width:720px } @media (max-width:720px) { svg text.on { display:none } }
svg text { font-size:12px; fill:var(--soft) }
svg text.on { fill:#fff; font-weight:600; font-size:14px } svg text.axis { fill:var(--ink) }
.grid { stroke:var(--edge) } .bar { fill:var(--main) }
.line { fill:none; stroke:var(--main); stroke-width:2 } .area { fill:var(--main); opacity:.14 }
.legend { list-style:none; display:flex; flex-wrap:wrap; gap:4px 18px;
          margin:10px 0 0; padding:0; font-size:14px }
.legend i { display:inline-block; width:12px; height:12px; border-radius:3px; margin-right:6px }
.s0 { fill:#2da44e; background:#2da44e } .s1 { fill:#1f6feb; background:#1f6feb }
.s2 { fill:#cf5a31; background:#cf5a31 } .s3 { fill:#b8860b; background:#b8860b }
.s4 { fill:#8250df; background:#8250df } .s5 { fill:#6e7781; background:#6e7781 }
.s6 { fill:#0e8a8a; background:#0e8a8a } .s7 { fill:#4a5568; background:#4a5568 }
)css";

}  // namespace ppu::sim
