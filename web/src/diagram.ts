// The program of the frame that draws diagrams. Text comes in from the page, a height or the reason why nothing is drawn
// goes out. The frame has an opaque origin and no network (package web, diagramPolicy).
import { draw } from './diagram/draw';
import { adopt } from './diagram/styles';

const most = 400; // characters of a reason

adopt('html { background: transparent } body { box-sizing: border-box; width: fit-content; min-width: 100%; margin: 0; padding: 12px } svg { display: block; margin: 0 auto; height: auto }');

addEventListener('message', (event: MessageEvent<{ text?: unknown; dark?: unknown }>) => {
  if (event.source !== parent || typeof event.data?.text !== 'string') return;
  const { text, dark } = event.data;
  draw(text, dark === true).then(show, (err: unknown) => say({ failure: (err instanceof Error ? err.message : String(err)).slice(0, most) }));
});

function show(svg: SVGSVGElement) {
  document.body.replaceChildren(svg);
  // A wide drawing gets smaller, but not so small that nobody can read it: then it scrolls.
  svg.style.minWidth = `${Math.min(svg.viewBox.baseVal.width, 2 * innerWidth)}px`;
  tell(); // an observer would wait until the frame is seen
  new ResizeObserver(tell).observe(document.body);
}

function tell() {
  const scrolls = document.documentElement.scrollWidth > innerWidth;
  say({ height: Math.ceil(document.body.getBoundingClientRect().height) + (scrolls ? 16 : 0) });
}

const say = (what: object) => parent.postMessage(what, '*'); // the page looks at who speaks, and believes only numbers and words

say({ ready: true });
