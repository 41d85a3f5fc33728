// Sends a file into a session and says how far it is, which fetch cannot.
import { ReinError, type File as Kept } from 'rein-client';
import { house } from '../lib/house.svelte';

/** upload resolves to the file as the server keeps it. */
export function upload(session: string, name: string, content: Blob, progress: (share: number) => void, signal: AbortSignal): Promise<Kept> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', `${house.rein.base}/v1/sessions/${encodeURIComponent(session)}/files/${encodeURIComponent(name)}`);
    if (house.me?.csrf) request.setRequestHeader('X-CSRF-Token', house.me.csrf);
    if (content.type) request.setRequestHeader('Content-Type', content.type);
    request.responseType = 'json';
    request.upload.onprogress = (e) => e.lengthComputable && progress(e.loaded / e.total);
    request.onload = () => {
      const ok = request.status >= 200 && request.status < 300;
      if (ok) resolve(request.response as Kept);
      else reject(new ReinError({ ...(request.response as object | null), status: request.status }));
    };
    request.onerror = () => reject(new ReinError({ code: 'unavailable', detail: 'the server cannot be reached' }));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(content);
  });
}
