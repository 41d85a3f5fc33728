import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isStill } from './pdf';

const packed = (text: string, holds = '/Type /ObjStm /Filter /FlateDecode') => new Blob([`%PDF-1.5\n1 0 obj\n<< ${holds} >>\nstream\n`, new Uint8Array(deflateSync(text)), '\nendstream\nendobj\n']);

test.each<[string, Blob, boolean]>([
  ['a page', new Blob(['%PDF-1.4\n1 0 obj\n<< /Type /Catalog /OpenAction [3 0 R /Fit] >>\nendobj\n']), true],
  ['a script', new Blob(['%PDF-1.4\n<< /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>']), false],
  ['a script by other letters', new Blob(['%PDF-1.4\n<< /OpenAction << /S /J#61vaScript /#4aS (x) >> >>']), false],
  ['a form that is sent', new Blob(['%PDF-1.4\n<< /S /SubmitForm /F (http://x) >>']), false],
  ['packed objects', packed('1 0 << /Type /Page >>'), true],
  ['a packed script', packed('1 0 << /S /JavaScript /JS (x) >>'), false],
  ['a script packed in an unusual way', packed('1 0 << /JS (x) >>', '/Type /Obj#53tm /Filter [/ASCIIHexDecode /FlateDecode]'), false],
  ['what is encrypted', new Blob(['%PDF-1.4\ntrailer << /Encrypt 5 0 R >>']), false],
  ['objects that cannot be unpacked', new Blob(['%PDF-1.5\n1 0 obj\n<< /Type /ObjStm /Filter /LZWDecode >>\nstream\nxxxx\nendstream']), false],
  ['a script behind a stream', new Blob(['%PDF-1.4\n<< >>\nstream\nx\nendstream\n<< /JS (x) >>']), false],
  ['a stream without an end', new Blob(['%PDF-1.4\n<< >>\nstream\n<< /JS (x) >>']), false],
  ['bytes of a picture', new Blob(['%PDF-1.4\n<< /Type /XObject >>\nstream\n /JS \nendstream']), true],
  ['a picture whose bytes look like a word', packed('x/JS x', '/Type /XObject /Filter /FlateDecode'), true],
])('isStill: %s', async (_, content, want) => expect(await isStill(content)).toBe(want));
