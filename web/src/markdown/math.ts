// Formulas as MathML. temml reads the TeX; its tree becomes elements here, one by one, and only those that show
// mathematics: what a formula says can neither name a class, a link nor a place on the page.

type Node = { type?: string; text?: string; attributes?: Record<string, unknown>; style?: Record<string, unknown>; classes?: string[]; children?: Node[] };

const elements = new Set([
  'math', 'annotation', 'mrow', 'mi', 'mn', 'mo', 'ms', 'mtext', 'mspace', 'mfrac', 'msqrt', 'mroot', 'mstyle', 'merror', 'mpadded', 'mphantom',
  'msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover', 'mmultiscripts', 'mprescripts', 'mtable', 'mtr', 'mtd', 'semantics', 'none',
]);
const attributes = new Set([
  'display', 'mathvariant', 'stretchy', 'fence', 'separator', 'form', 'lspace', 'rspace', 'minsize', 'maxsize', 'symmetric', 'largeop', 'movablelimits',
  'accent', 'accentunder', 'linethickness', 'columnspan', 'rowspan', 'columnalign', 'rowalign', 'displaystyle', 'scriptlevel', 'width', 'height', 'depth',
  'voffset', 'notation',
]);
const styles = new Set(['textAlign', 'padding', 'paddingTop', 'paddingBottom', 'paddingLeft', 'paddingRight', 'borderTop', 'borderBottom', 'borderLeft', 'borderRight', 'border', 'fontWeight']);
const namespace = 'http://www.w3.org/1998/Math/MathML';
const mostNodes = 4000;

let library: Promise<typeof import('temml')> | undefined;

/** formula makes the element of a formula, or nothing if the text is not one. */
export async function formula(text: string, display: boolean): Promise<Element | undefined> {
  library ??= import('temml');
  const temml = (await library).default;
  try {
    const tree = temml.__renderToMathMLTree(text, { displayMode: display, trust: false, throwOnError: true, maxExpand: 200, maxSize: [12, 40] }) as unknown as Node;
    let left = mostNodes;
    const math = grow(tree, 0, () => --left >= 0);
    return math instanceof Element && math.localName === 'math' ? math : undefined;
  } catch {
    return; // the text itself is shown
  }
}

function grow(node: Node, depth: number, more: () => boolean): globalThis.Node | undefined {
  if (!more() || depth > 200) throw new RangeError('the formula is too large');
  if (typeof node.text === 'string') return document.createTextNode(node.text);
  const children = (node.children ?? []).map((c) => grow(c, depth + 1, more)).filter((c) => c !== undefined);
  if (!node.type || !elements.has(node.type)) {
    const group = document.createDocumentFragment();
    group.append(...children);
    return group;
  }
  const el = document.createElementNS(namespace, node.type) as MathMLElement;
  for (const [name, value] of Object.entries(node.attributes ?? {})) {
    if (attributes.has(name) && /^[\w .%+-]{0,40}$/.test(String(value))) el.setAttribute(name, String(value));
  }
  for (const [name, value] of Object.entries(node.style ?? {})) {
    if (styles.has(name) && /^[\d.]*[a-z\d. %]{0,24}$/.test(String(value)) && el.style) el.style[name as 'padding'] = String(value);
  }
  for (const name of node.classes ?? []) if (/^tml-(left|right|center|small|jot)$/.test(name)) el.classList.add(name);
  el.append(...children);
  return el;
}
