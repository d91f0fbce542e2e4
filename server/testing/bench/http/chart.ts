/** The CPU time per request as bars, for the docs: SVG that is read in light and in dark. */
import { SERVER } from './kinds.ts';
import type { Result } from './result.ts';

const ROW = 22;
const LEFT = 200;
const BARS = 480;
const TITLE = 34;

export function chart({ scenarios }: Result): string {
  const parts: string[] = [];
  let y = 0;
  for (const [scenario, byServer] of Object.entries(scenarios)) {
    y += TITLE;
    parts.push(`<text x="0" y="${y - 8}" class="title">${scenario}: server CPU per request, µs</text>`);
    const bars = Object.entries(byServer).map(([server, { cpuMicros }]) => [server, cpuMicros.median] as const);
    const most = Math.max(...bars.map(([, value]) => value));
    for (const [server, value] of bars.toSorted(([, a], [, b]) => a - b)) {
      const width = Math.max(1, Math.round((value / most) * BARS));
      parts.push(
        `<text x="${LEFT - 8}" y="${y + 15}" class="name">${server}</text>`,
        `<rect x="${LEFT}" y="${y + 3}" width="${width}" height="${ROW - 6}"${server === SERVER.name ? ' class="own"' : ''}/>`,
        `<text x="${LEFT + width + 6}" y="${y + 15}">${value.toFixed(0)}</text>`,
      );
      y += ROW;
    }
  }
  const size = `width="${LEFT + BARS + 60}" height="${y + 8}" viewBox="0 0 ${LEFT + BARS + 60} ${y + 8}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="Server CPU per request, by request and server">
<style>
text { font: 13px system-ui, sans-serif; fill: #222 } .title { font-weight: 600 } .name { text-anchor: end } rect { fill: #9aa4b2 } .own { fill: #1f6feb }
@media (prefers-color-scheme: dark) { text { fill: #ddd } rect { fill: #5b6472 } .own { fill: #4c8dff } }
</style>
${parts.join('\n')}
</svg>
`;
}
