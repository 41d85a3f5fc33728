// Where the person is: the path of the page, as one of a few views. Links are plain <a href>, so they open in
// new tabs; `follow` turns a plain click on one into a change of view.

export type View =
  | { name: 'chat'; session?: string }
  | { name: 'asks' }
  | { name: 'runs' }
  | { name: 'run'; run: string }
  | { name: 'tree'; run: string }
  | { name: 'compare'; left: string; right: string }
  | { name: 'settings' }
  | { name: 'lost'; path: string };

/** parse reads a path. Parts that do not decode lead nowhere. */
export function parse(path: string): View {
  let parts: string[];
  try {
    parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return { name: 'lost', path };
  }
  const [first, second, third] = parts;
  switch (true) {
    case parts.length === 0:
      return { name: 'chat' };
    case first === 's' && parts.length === 2:
      return { name: 'chat', session: second };
    case first === 'asks' && parts.length === 1:
      return { name: 'asks' };
    case first === 'runs' && parts.length === 1:
      return { name: 'runs' };
    case first === 'runs' && parts.length === 2:
      return { name: 'run', run: second! };
    case first === 'runs' && parts.length === 3 && third === 'tree':
      return { name: 'tree', run: second! };
    case first === 'compare' && parts.length === 3:
      return { name: 'compare', left: second!, right: third! };
    case first === 'settings' && parts.length === 1:
      return { name: 'settings' };
  }
  return { name: 'lost', path };
}

/** path is the inverse of parse. */
export function path(view: View): string {
  const e = encodeURIComponent;
  switch (view.name) {
    case 'chat':
      return view.session ? `/s/${e(view.session)}` : '/';
    case 'run':
      return `/runs/${e(view.run)}`;
    case 'tree':
      return `/runs/${e(view.run)}/tree`;
    case 'compare':
      return `/compare/${e(view.left)}/${e(view.right)}`;
    case 'lost':
      return view.path;
  }
  return `/${view.name}`;
}

class Router {
  view = $state<View>({ name: 'chat' });
  query = $state(new URLSearchParams());

  constructor() {
    this.read();
    addEventListener('popstate', () => this.read());
    addEventListener('click', (event) => this.follow(event));
  }

  read() {
    this.view = parse(location.pathname);
    this.query = new URLSearchParams(location.search);
  }

  /** go changes the view. `replace` leaves no way back to the one before. */
  go(view: View | string, { replace = false } = {}) {
    const to = typeof view === 'string' ? view : path(view);
    if (to !== location.pathname + location.search) history[replace ? 'replaceState' : 'pushState'](null, '', to);
    this.read();
  }

  private follow(event: MouseEvent) {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (parse(link.pathname).name === 'lost') return; // of the server: /docs, a file
    event.preventDefault();
    this.go(link.pathname + link.search);
  }
}

export const router = new Router();
