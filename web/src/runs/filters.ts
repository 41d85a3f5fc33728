// The filters of the table of runs, as the query of the page's address has them, so that a view can be
// bookmarked, shared and saved under a name.

export const statuses = ['unfinished', 'running', 'waiting', 'paused', 'blocked', 'done', 'limit', 'declined', 'stopped', 'cancelled', 'deleted', 'failed'] as const;
export type StatusFilter = (typeof statuses)[number];
export const spans = ['hour', 'day', 'week', 'month'] as const;
export type Span = (typeof spans)[number];

export interface Filters {
  q: string;
  status: StatusFilter | '';
  flow: string;
  user: string;
  workspace: string;
  /** How long ago it started at most; empty: whenever. */
  within: Span | '';
  /** Millionths of the currency unit. */
  cost: number;
  /** The runs of one session. */
  session: string;
}

export const none: Readonly<Filters> = { q: '', status: '', flow: '', user: '', workspace: '', within: '', cost: 0, session: '' };

/** fromQuery reads filters. What it does not know does not filter. */
export function fromQuery(query: URLSearchParams): Filters {
  const word = <T extends string>(name: string, known: readonly T[]) => known.find((k) => k === query.get(name)) ?? '';
  const cost = Number(query.get('cost'));
  return {
    q: query.get('q') ?? '',
    status: word('status', statuses),
    flow: query.get('flow') ?? '',
    user: query.get('user') ?? '',
    workspace: query.get('workspace') ?? '',
    within: word('within', spans),
    cost: Number.isFinite(cost) && cost > 0 ? Math.round(cost * 1e6) : 0,
    session: query.get('session') ?? '',
  };
}

/** toQuery is the inverse of fromQuery: what does not filter is left out. */
export function toQuery(filters: Filters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value) query.set(name, name === 'cost' ? String(filters.cost / 1e6) : String(value));
  }
  return query.toString();
}

const hours: Record<Span, number> = { hour: 1, day: 24, week: 24 * 7, month: 24 * 30 };

export interface RunsQuery {
  q?: string;
  status?: StatusFilter;
  flow?: string;
  user?: string;
  workspace?: string;
  since?: string;
  min_micros?: number;
  session?: string;
}

/** asked turns filters into those of GET /v1/runs. */
export function asked(filters: Filters, now: Date): RunsQuery {
  const query: RunsQuery = {};
  if (filters.q.trim()) query.q = filters.q.trim();
  if (filters.status) query.status = filters.status;
  if (filters.flow) query.flow = filters.flow;
  if (filters.user) query.user = filters.user;
  if (filters.workspace) query.workspace = filters.workspace;
  if (filters.session) query.session = filters.session;
  if (filters.cost) query.min_micros = filters.cost;
  // To the minute, so that the next page asks for the same.
  if (filters.within) query.since = new Date(Math.floor(now.getTime() / 60_000) * 60_000 - hours[filters.within] * 3_600_000).toISOString();
  return query;
}

export interface SavedView {
  name: string;
  query: string;
}

/** viewsOf reads the saved views out of what the server keeps for the page. Anything else in it is not a view. */
export function viewsOf(page: unknown): SavedView[] {
  const views = (page as { views?: unknown } | null)?.views;
  if (!Array.isArray(views)) return [];
  return views.filter((v): v is SavedView => typeof v?.name === 'string' && typeof v?.query === 'string');
}

/** withView adds a view, in the place of one with the same name. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  const at = views.findIndex((v) => v.name === view.name);
  return at < 0 ? [...views, view] : views.with(at, view);
}
