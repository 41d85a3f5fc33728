// The panel in which a cited note opens. One at a time, outside of the text that cites it.
import { mount, unmount } from 'svelte';
import type { Citation } from './cite';

export type NoteRequest = { citation: Citation; workspace?: string; from?: HTMLElement };

let close: (() => void) | undefined;

/** openNote opens a note at the cited place. Focus returns to where it came from when the panel closes. */
export async function openNote({ citation, workspace, from }: NoteRequest) {
  const { default: NotePanel } = await import('./NotePanel.svelte');
  close?.();
  const panel = mount(NotePanel, { target: document.body, props: { citation, workspace, onclose: () => close?.() } });
  close = () => {
    close = undefined;
    void unmount(panel);
    from?.focus();
  };
}
