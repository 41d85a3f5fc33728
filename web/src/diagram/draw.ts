// Mermaid, with none of its doors: labels are text, a diagram cannot set anything, and what is seen is a copy of what it
// drew.
import mermaid from 'mermaid';
import { copy } from './copy';
import { plain } from './plain';
import { takeMarkup, takeOver } from './take';

const font = 'system-ui, sans-serif';

/** draw makes a picture of a text, or fails with what is wrong with the text. */
export async function draw(text: string, dark: boolean): Promise<SVGSVGElement> {
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
  let made: SVGSVGElement | undefined;
  takeOver();
  takeMarkup('ddiagram', (drawn) => (made = copy(drawn.querySelector('svg'))));
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    htmlLabels: false,
    layout: 'dagre',
    theme: dark ? 'dark' : 'default',
    fontFamily: font,
    journey: { textPlacement: 'tspan', sectionColours: [dark ? '#eee' : '#333'] },
    // What a text may not set either, if some of its settings should be left in it.
    secure: Object.keys(mermaid.mermaidAPI.defaultConfig),
  });
  await mermaid.render('diagram', plain(text));
  if (!made) throw new Error('Mermaid drew nothing.');
  return made;
}
