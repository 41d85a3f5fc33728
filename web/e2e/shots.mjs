// The pictures of docs/img: each view, light and dark, wide and on a phone. `make shots` writes them again; look at them.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { views } from './views.mjs';

const out = process.argv[2];
if (!out) throw new Error('usage: node e2e/shots.mjs FOLDER');
await mkdir(out, { recursive: true });
await views((page, name, size, colours) => page.screenshot({ path: join(out, `${[name, colours, size].filter(Boolean).join('-')}.png`) }));
