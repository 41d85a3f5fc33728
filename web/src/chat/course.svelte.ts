// How a person changes the course of the run that is active.
import type { CommandKind } from 'rein-client';
import { house } from '../lib/house.svelte';
import { notices } from '../lib/notices.svelte';
import type { Conversation } from './conversation.svelte';

export class Course {
  readonly #of: Conversation;
  #stopped = ''; // the run that was asked to stop

  constructor(of: Conversation) {
    this.#of = of;
  }

  /** stop ends the run after its step; asked again, it ends now. Returns false if nothing is active. */
  stop(): boolean {
    const entry = this.#of.active;
    if (!entry) return false;
    const now = entry.timeline?.ending !== undefined || this.#stopped === entry.id;
    this.#stopped = entry.id;
    void this.#send(now ? 'cancel' : 'stop');
    return true;
  }

  pause() {
    void this.#send('pause');
  }

  resume() {
    const entry = this.#of.active;
    if (entry) void notices.tries(() => house.rein.resumeRun(entry.id));
  }

  async #send(kind: CommandKind) {
    const entry = this.#of.active;
    if (entry) await notices.tries(() => house.rein.command({ kind, run: entry.id }));
  }
}
