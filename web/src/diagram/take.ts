// Mermaid writes styles into markup, reads markup that has them, and would load pictures. The policy of the frame refuses
// all of it, and reports each to the page. So here are other ways for it to do what it does, and none to load.
import { adopt, dress } from './styles';

/** takeOver makes styles count in ways that the policy knows, and addresses that lead elsewhere in none. */
export function takeOver() {
  const { setAttribute, setAttributeNS } = Element.prototype;
  Element.prototype.setAttribute = function (name: string, value: string) {
    if (/^style$/i.test(name)) dress(this, String(value));
    else if (stays(name, value)) setAttribute.call(this, name, value);
  };
  Element.prototype.setAttributeNS = function (space: string | null, name: string, value: string) {
    if (stays(name, value)) setAttributeNS.call(this, space, name, value);
  };
  Object.defineProperty(HTMLImageElement.prototype, 'src', { set() {} });
  const create = document.createElement.bind(document);
  document.createElement = ((name: string, options?: ElementCreationOptions) => (/^style$/i.test(name) ? sheet() : create(name, options))) as typeof create;
  // Labels are cleaned by reading them as markup: what they say of styles has no effect.
  const { parseFromString } = DOMParser.prototype;
  DOMParser.prototype.parseFromString = function (text: string, type: DOMParserSupportedType) {
    return parseFromString.call(this, withoutHandlers(String(text)).replace(/style(?=[\s/]*[=>])|(?<=<\s*\/?\s*)style/gi, 'data-style'), type);
  };
}

/** withoutHandlers renames the handlers in the tags of a text. The browser runs none, and reports each, also while it reads. */
const withoutHandlers = (text: string) => text.replace(/<[a-z][^<>]*/gi, (tag) => tag.replace(/([\s/"'])on(?=[a-z]+\s*=)/gi, '$1data-'));

/** stays reports whether an attribute leads nowhere, or to a part of the same picture, and handles nothing. */
const stays = (name: string, value: string) => !/^on/i.test(name) && (!/(^|:)(href|src)$/i.test(name) || String(value).startsWith('#'));

/** sheet stands for an element of rules: what is written into it is adopted. */
function sheet(): Element {
  const el = document.createElementNS('http://www.w3.org/2000/svg', 'metadata');
  for (const name of ['innerHTML', 'textContent']) Object.defineProperty(el, name, { set: adopt });
  return el;
}

/** takeMarkup gives the element itself to whoever wants it, when Mermaid asks for its markup, which is then empty. */
export function takeMarkup(id: string, take: (drawn: Element) => void) {
  const markup = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')!;
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...markup,
    get(this: Element) {
      if (this.id !== id) return markup.get!.call(this);
      take(this);
      return '';
    },
  });
}
