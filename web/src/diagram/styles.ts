// Styles as a policy without unsafe-inline allows them: a sheet that a program made, or properties that it set. Nothing in
// them may name something outside of this document.

const inert = document.implementation.createHTMLDocument('');
const elsewhere = /url\((?!["']?#)/i;

/** adopt makes the rules of a text count. */
export function adopt(rules: string) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  for (let i = sheet.cssRules.length - 1; i >= 0; i--) if (elsewhere.test(sheet.cssRules[i]!.cssText)) sheet.deleteRule(i);
  document.adoptedStyleSheets.push(sheet);
}

/** dress gives an element the properties of a style. */
export function dress(el: Element, style: string) {
  const probe = inert.createElement('i'); // loads nothing
  probe.style.cssText = style;
  const { cssText } = probe.style; // as the browser understands it
  if (!elsewhere.test(cssText)) (el as SVGElement).style.cssText = cssText;
}

/** isHere reports whether the value of an attribute names nothing outside of this document. */
export const isHere = (value: string) => !elsewhere.test(value);
