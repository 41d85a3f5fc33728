// Short words about what just happened: an act that failed, or one that can be taken back.
import { ReinError } from 'rein-client';
import { speech } from '../words/index.svelte';

export interface Notice {
  id: number;
  text: string;
  kind: 'done' | 'failed';
  /** What to do about it. */
  hint?: string;
  /** For a failure: everything that is known, to be copied. */
  details?: string;
  act?: { label: string; do: () => void };
}

class Notices {
  all = $state.raw<readonly Notice[]>([]);
  #next = 1;

  say(text: string, act?: Notice['act']) {
    this.#add({ text, kind: 'done', ...(act ? { act } : {}) });
  }

  /** failed shows what went wrong. It stays until somebody closes it. */
  failed(err: unknown) {
    const e = err instanceof ReinError ? err : undefined;
    const text = e?.detail || (err instanceof Error ? err.message : String(err)) || speech.words.shell.failed;
    const details = e ? `${e.status} ${e.code}: ${e.detail}` : String(err);
    this.#add({ text, kind: 'failed', details, ...(e?.hint ? { hint: e.hint } : {}) });
  }

  /** tries does something, and shows the failure if there is one. Returns whether it worked. */
  async tries(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (err) {
      if (err instanceof ReinError && err.status === 401) return false; // the page says so as a whole
      this.failed(err);
      return false;
    }
  }

  close(notice: Notice) {
    this.all = this.all.filter((n) => n !== notice);
  }

  #add(notice: Omit<Notice, 'id'>) {
    const added = { ...notice, id: this.#next++ };
    this.all = [...this.all.filter((n) => n.text !== notice.text), added].slice(-4);
    if (added.kind === 'done') setTimeout(() => this.close(added), 8000);
  }
}

export const notices = new Notices();
