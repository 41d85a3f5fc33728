// Files for tests: a PDF of one page, and a picture.

/** pdf is a page with a text; `acts` is the JavaScript that runs when it opens. */
export function pdf(text, acts = '') {
  const shown = `BT /F1 24 Tf 40 100 Td (${text}) Tj ET`;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R${acts && ` /OpenAction << /S /JavaScript /JS (${acts.replace(/[()\\]/g, '\\$&')}) >>`} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${shown.length} >>\nstream\n${shown}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let out = '%PDF-1.4\n';
  const at = objects.map((o, i) => {
    const here = out.length;
    out += `${i + 1} 0 obj\n${o}\nendobj\n`;
    return `${`${here}`.padStart(10, '0')} 00000 n \n`;
  });
  return `${out}xref\n0 ${at.length + 1}\n0000000000 65535 f \n${at.join('')}trailer\n<< /Size ${at.length + 1} /Root 1 0 R >>\nstartxref\n${out.length}\n%%EOF\n`;
}

/** png is a picture of one pixel. */
export const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
