// What Mermaid drew, element by element: those that show something, with attributes that only say how it looks. Mermaid
// cleans what it draws; this does not rely on that.
import { dress, isHere } from './styles';

const namespace = 'http://www.w3.org/2000/svg';
const elements = new Set([
  'svg', 'g', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan', 'title', 'desc', 'defs', 'marker', 'symbol', 'use',
  'linearGradient', 'radialGradient', 'stop', 'clipPath', 'mask', 'pattern', 'filter', 'feDropShadow',
]);
const attribute = /^(?!on|src|ping|target|action|formaction)[a-z][\w-]*$/i;
const most = 20_000;

/** copy makes a picture of a picture, or fails if that is not one or too large. */
export function copy(drawn: Element | null): SVGSVGElement {
  let left = most;
  const made = drawn && grow(drawn, () => --left >= 0);
  if (!(made instanceof SVGSVGElement)) throw new Error('Mermaid drew nothing.');
  return made;
}

function grow(from: Element, more: () => boolean): Node {
  if (!more()) throw new Error('The drawing has too many parts.');
  const el = elements.has(from.localName) ? document.createElementNS(namespace, from.localName) : undefined;
  if (el) for (const { name, value } of from.attributes) say(el, name, value);
  const into: Node = el ?? document.createDocumentFragment();
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) into.appendChild(document.createTextNode(child.nodeValue ?? ''));
    else if (child instanceof Element && !/^(script|style|metadata)$/i.test(child.localName)) into.appendChild(grow(child, more));
  }
  return into;
}

function say(el: Element, name: string, value: string) {
  if (name === 'style') dress(el, value);
  else if (/href$/i.test(name)) value.startsWith('#') && el.setAttribute('href', value); // a part of this picture
  else if (attribute.test(name) && isHere(value)) el.setAttribute(name, value);
}
